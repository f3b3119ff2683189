package wall

var parkedTitles = lines(`
domain for sale
domain is for sale
this domain is for sale
domain name for sale
domain parking
parked domain
parked domain name
domain parked
domain zu verkaufen
domaine à vendre
dominio en venta
домен продается`)

var parkedWords = lines(`
domain is for sale
domain may be for sale
domain might be for sale
domain name is for sale
domain name may be for sale
domain could be for sale
domain is parked
domain has been parked
domain name is parked
domain is available for purchase
web page is parked
website is parked
is parked free, courtesy of
parked free of charge
buy this domain
purchase this domain
inquire about this domain
own this domain today
make an offer on this domain
interested in this domain
this domain has expired
domain has recently been registered
domain name has been registered
domain registration has expired
this domain was recently registered
future home of something quite cool
is for sale! buy now
domain steht zum verkauf
domain kaufen
domain ist geparkt
diese domain wurde registriert
domain ist reserviert
ce domaine est à vendre
nom de domaine est à vendre
domaine est peut-être à vendre
este dominio está en venta
dominio está a la venta
dominio podría estar en venta
questo dominio è in vendita
dominio è in vendita
este domínio está à venda
deze domeinnaam is te koop
domein is te koop
ta domena jest na sprzedaż
домен продаётся
домен продается
домен припаркован
该域名正在出售
此域名可以转让
このドメインは`)

var notFoundTitles = lines(`
404
error 404
404 error
http 404
404 not found
404 page not found
404 file not found
not found
not found (404)
page not found
page not found (404)
page not found 404
file not found
page cannot be found
page can't be found
page could not be found
page couldn't be found
this page could not be found
the page could not be found
page does not exist
page doesn't exist
this page doesn't exist
this page does not exist
page missing
page unavailable
page not available
page no longer available
page no longer exists
content not found
nothing found
resource not found
article not found
product not found
item not found
no such page
oops
uh oh
whoops
we can't find that page
we couldn't find that page
we can't find the page you're looking for
sorry, page not found
sorry, this page isn't available
sorry, we couldn't find that page
page not found error
seite nicht gefunden
die seite wurde nicht gefunden
diese seite wurde nicht gefunden
seite wurde nicht gefunden
seite existiert nicht
diese seite existiert nicht
nicht gefunden
fehler 404
404 fehler
inhalt nicht gefunden
page introuvable
page non trouvée
cette page n'existe pas
cette page est introuvable
erreur 404
contenu introuvable
página no encontrada
pagina no encontrada
no se encuentra la página
no encontrado
esta página no existe
la página no existe
error 404 página no encontrada
pagina non trovata
errore 404
questa pagina non esiste
página não encontrada
não encontrado
erro 404
pagina niet gevonden
niet gevonden
deze pagina bestaat niet
fout 404
sidan hittades inte
sidan kunde inte hittas
siden blev ikke fundet
siden ble ikke funnet
siden findes ikke
sivua ei löytynyt
sivua ei löydy
strona nie została znaleziona
nie znaleziono strony
nie znaleziono
strona nie istnieje
błąd 404
stránka nenalezena
stránka nebyla nalezena
stránka neexistuje
az oldal nem található
a keresett oldal nem található
pagina nu a fost găsită
страница не найдена
ошибка 404
сторінку не знайдено
страницата не е намерена
η σελίδα δεν βρέθηκε
sayfa bulunamadı
404 sayfa bulunamadı
页面不存在
页面未找到
找不到页面
找不到頁面
您访问的页面不存在
ページが見つかりません
ページが見つかりませんでした
お探しのページは見つかりませんでした
페이지를 찾을 수 없습니다
الصفحة غير موجودة
הדף לא נמצא
không tìm thấy trang
halaman tidak ditemukan`)

var notFoundWords = lines(`
the page you are looking for
the page you're looking for
the page you were looking for
the page that you are looking for
the page you are trying to
the page you're trying to
the page you were trying to
the page you requested
the page you have requested
the page you've requested
the requested page
the page requested
the page you tried to
the page you followed
the content you are looking for
the content you're looking for
the item you are looking for
the article you are looking for
the product you are looking for
the product you're looking for
the file you are looking for
the document you requested
the resource you are looking for
the resource you requested
the requested url
the requested resource
the link you followed
the link you clicked
the url you requested
the address you entered
page you were looking for
page you are looking for
page you're looking for
we couldn't find that page
we couldn't find the page
we could not find the page
we could not find that page
we can't find the page
we can't find that page
we can't seem to find the page
we couldn't find what you
we can't find what you
we cannot find the page
we're sorry, but the page
sorry, the page
sorry, but the page
sorry, this page
sorry, that page
this page could not be found
this page can't be found
this page cannot be found
that page can't be found
that page could not be found
page could not be found
page cannot be found
page can't be found
page was not found
this page doesn't exist
this page does not exist
this page no longer exists
this page isn't available
this page is no longer available
page you wanted doesn't exist
nothing was found at this location
it looks like nothing was found
there's nothing here
nothing to see here
may have been moved or deleted
might have been moved or deleted
may have been removed
might have been removed
has been moved or deleted
has been removed or renamed
broken link or mistyped
die seite, die sie suchen
die von ihnen gesuchte seite
die von ihnen aufgerufene seite
die von ihnen angeforderte seite
die gesuchte seite
die angeforderte seite
die aufgerufene seite
diese seite existiert nicht
diese seite gibt es nicht
die seite wurde nicht gefunden
die seite konnte nicht gefunden
seite konnte leider nicht gefunden
seite nicht mehr verfügbar
la page que vous cherchez
la page que vous recherchez
la page que vous avez demandée
la page demandée
la page recherchée
cette page n'existe pas
cette page n'existe plus
la página que buscas
la página que busca
la página que estás buscando
la página que está buscando
la página que intentas
la página solicitada
esta página no existe
la pagina che stai cercando
la pagina che cerchi
la pagina richiesta
la pagina cercata
a página que você procura
a página que você está procurando
a página que procura
a página solicitada
de pagina die u zoekt
de pagina die je zoekt
de opgevraagde pagina
deze pagina bestaat niet
sidan du letar efter
sidan du söker
siden du leder efter
siden du leter etter
etsimääsi sivua
strona, której szukasz
szukana strona
strony, której szukasz
požadovaná stránka
hledaná stránka
stránka, kterou hledáte
a keresett oldal
запрашиваемая страница
запрашиваемая вами страница
запрошенная страница
страница, которую вы ищете
такой страницы не существует
к сожалению, страница
сторінка, яку ви шукаєте
aradığınız sayfa
您访问的页面
您要访问的页面
您查找的页面
抱歉，您访问
页面不存在
お探しのページ
ご指定のページ
アクセスしようとしたページ
요청하신 페이지
찾으시는 페이지
الصفحة التي تبحث عنها
trang bạn tìm
trang bạn đang tìm`)

// explains are words of pages about errors.
var explains = lines(`
status code
http response
response code
statuscode
error page
404 pages
404-seiten
404 page is
404 errors
error pages
fehlerseite
fehlerseiten
page d'erreur
pages d'erreur
página de error
soft 404
soft-404
webmaster tools
search console`)

var maintenanceTitles = lines(`
maintenance
site maintenance
website maintenance
scheduled maintenance
maintenance mode
under maintenance
site under maintenance
website under maintenance
down for maintenance
system maintenance
we'll be back soon
we'll be right back
be right back
back soon
we'll be back
we will be back soon
temporarily unavailable
site temporarily unavailable
service temporarily unavailable
temporarily down for maintenance
wartung
wartungsarbeiten
wartungsmodus
wir sind gleich zurück
en maintenance
site en maintenance
maintenance en cours
en mantenimiento
sitio en mantenimiento
mantenimiento
manutenzione
in manutenzione
sito in manutenzione
em manutenção
site em manutenção
manutenção
onderhoud
in onderhoud
prace konserwacyjne
przerwa techniczna
údržba
технические работы
на сайте ведутся технические работы
сайт на обслуживании
bakım çalışması
系统维护
网站维护中
系统维护中
メンテナンス中
メンテナンスのお知らせ
점검 중`)

var maintenanceWords = lines(`
undergoing maintenance
undergoing scheduled maintenance
undergoing planned maintenance
undergoing routine maintenance
undergoing some maintenance
undergoing essential maintenance
is under maintenance
currently under maintenance
currently down for maintenance
down for maintenance
down for scheduled maintenance
unavailable for scheduled maintenance
unavailable due to maintenance
unavailable due to scheduled maintenance
unavailable due to planned maintenance
unavailable while we perform
performing scheduled maintenance
performing some maintenance
performing maintenance
carrying out maintenance
carrying out scheduled maintenance
carrying out essential maintenance
closed for maintenance
offline for maintenance
in maintenance mode
we'll be back shortly
we'll be back soon
we will be back shortly
we will be back soon
we'll be back online
we should be back
we'll be right back
please check back soon
please check back later
check back in a minute
check back in a few minutes
wird derzeit gewartet
wird gerade gewartet
aufgrund von wartungsarbeiten
wegen wartungsarbeiten
führen wir wartungsarbeiten
wir führen gerade wartung
wir führen derzeit wartung
wartungsarbeiten durch
in kürze wieder
bald wieder für sie da
gleich wieder da
actuellement en maintenance
est en maintenance
est en cours de maintenance
pour cause de maintenance
pour maintenance
en raison d'une maintenance
de retour très bientôt
est temporairement indisponible
en mantenimiento
tareas de mantenimiento
labores de mantenimiento
volveremos pronto
estaremos de vuelta
in manutenzione
torneremo presto
torneremo online
em manutenção
voltaremos em breve
estaremos de volta
in onderhoud
wegens onderhoud
onderhoudswerkzaamheden
zijn zo weer terug
pågående underhåll
for vedligeholdelse
prace konserwacyjne
trwają prace
przerwa techniczna
probíhá údržba
ведутся технические работы
проводятся технические работы
технических работ
bakım çalışması
正在维护
系统维护
メンテナンス中
メンテナンスを実施
メンテナンスのため
점검 중`)

var loginTitles = lines(`
log in
login
log-in
log on
logon
sign in
signin
sign-in
please log in
please sign in
log in to continue
sign in to continue
member login
members only
user login
customer login
log in to your account
sign in to your account
login required
authentication required
log in or sign up
sign in or register
anmelden
anmeldung
einloggen
bitte anmelden
bitte melden sie sich an
melden sie sich an
mitgliederbereich
connexion
se connecter
connectez-vous
identifiez-vous
identification
iniciar sesión
inicia sesión
inicie sesión
acceder
accedi
accesso
iniciar sessão
entrar
fazer login
inloggen
aanmelden
logga in
log ind
logg inn
kirjaudu
kirjaudu sisään
zaloguj się
logowanie
přihlášení
přihlásit se
bejelentkezés
autentificare
вход
войти
авторизация
увійти
вхід
σύνδεση
giriş yap
oturum aç
登录
登入
登錄
用户登录
ログイン
サインイン
로그인
تسجيل الدخول
התחברות
đăng nhập
masuk`)

var loginWords = lines(`
you must be logged in
you need to be logged in
you have to be logged in
you must log in
you need to log in
you must sign in
you need to sign in
you must be signed in
you are not logged in
you're not logged in
please log in to
please login to
please sign in to
please log in or
log in to continue
log in to view
log in to see
log in to access
login to continue
login to view
login to access
sign in to continue
sign in to view
sign in to access
sign in to see
log in or sign up to
log in or create an account
this page requires you to log in
this content is only available to members
this content is for members only
this page is for members only
only for registered users
only available to registered users
available to logged-in users
requires authentication
sie müssen angemeldet sein
sie müssen sich anmelden
sie müssen sich einloggen
sie müssen eingeloggt sein
bitte melden sie sich an
bitte loggen sie sich ein
melden sie sich an, um
melde dich an, um
nur für angemeldete
nur für registrierte
vous devez être connecté
vous devez vous connecter
veuillez vous connecter
veuillez vous identifier
connectez-vous pour
réservé aux abonnés
réservée aux membres
debes iniciar sesión
debe iniciar sesión
inicia sesión para
inicie sesión para
tienes que iniciar sesión
devi effettuare l'accesso
effettua il login
accedi per
você precisa estar logado
faça login para
inicie sessão para
u moet ingelogd zijn
je moet ingelogd zijn
log in om
logga in för att
du måste logga in
du skal være logget ind
musisz się zalogować
musisz być zalogowany
zaloguj się, aby
pro pokračování se přihlaste
musíte se přihlásit
войдите, чтобы
необходимо войти
необходимо авторизоваться
只有登录
请先登录
请登录后
ログインしてください
ログインが必要
로그인이 필요
로그인해 주세요`)

// loginMarks are of answers that hand over to a place where one logs in.
var loginMarks = lines(`
name="samlrequest"
/login.microsoftonline.com
/oauth2/authorize
/openid-connect/auth
/idp/profile/saml2
accounts.google.com/
/adfs/ls`)

var consentTitles = lines(`
before you continue
cookie consent
cookies consent
your privacy choices
your privacy
privacy settings
privacy gate
we value your privacy
we care about your privacy
cookie settings
cookie-einstellungen
datenschutzeinstellungen
zustimmung
einwilligung
einwilligung erforderlich
privatsphäre-einstellungen
consentement
votre vie privée
gestion des cookies
tu privacidad
consenso
informativa sui cookie
privacy-instellingen
toestemming
consent`)

var consentWords = lines(`
before you continue to
we value your privacy
we care about your privacy
we respect your privacy
your privacy matters
your privacy is important to us
your privacy, your choice
we need your consent
we ask for your consent
we ask you to consent
please accept cookies to
accept cookies to continue
accept our cookies to
you need to accept
you must accept
to continue, please accept
to continue reading, accept
with your consent
we and our partners
we use cookies and
we, and our
this site uses cookies
this website uses cookies
read with advertising
use with ads
bevor sie fortfahren
bevor sie zu
bevor du weitergehst
wir benötigen ihre zustimmung
wir brauchen ihre zustimmung
wir benötigen ihre einwilligung
mit werbung und cookies
mit werbung und tracking
mit werbung nutzen
mit werbung weiterlesen
weiter mit werbung
wir und unsere partner
ihre privatsphäre ist uns wichtig
ihre daten sind uns wichtig
datenschutz ist uns wichtig
wir verwenden cookies
wir nutzen cookies
avant d'accéder à
avant de continuer
votre vie privée
le respect de votre vie privée
nous et nos partenaires
nos partenaires et nous
continuer sans accepter
nous utilisons des cookies
antes de ir a
antes de continuar
valoramos tu privacidad
valoramos su privacidad
tu privacidad es importante
nosotros y nuestros socios
prima di continuare
la tua privacy è importante
rispettiamo la tua privacy
noi e i nostri partner
noi e terze parti
abbonati o accetta
accetta i cookie per
antes de continuar para
valorizamos a sua privacidade
nós e os nossos parceiros
voordat je verdergaat
wij waarderen uw privacy
jouw privacy is belangrijk
wij en onze partners
cenimy twoją prywatność
dbamy o twoją prywatność
my i nasi partnerzy
vážíme si vašeho soukromí
innan du fortsätter
vi värnar om din integritet
før du fortsætter
мы ценим вашу конфиденциальность
続行する前に`)

// consentTopics are words of paragraphs of a consent wall.
var consentTopics = lines(`
cookie
consent
privacy
personal data
partners
advertis
ads
track
accept
vendors
zustimm
einwillig
datenschutz
privatsphäre
werbung
personenbezogen
partner
abonn
akzept
consent
confidentialité
vie privée
données
publicit
accept
privacidad
consentimiento
datos
anuncios
publicidad
acept
consenso
dati personali
pubblicità
accett
dados
consentimento
aceit
toestemming
privacy
advertentie
accepteer
zgod
prywatno
soukrom
souhlas
samtyck
samtykke
integritet
конфиденциальност
файлы cookie
クッキー
同意
隐私`)

// accepts are labels of buttons by which one consents.
var accepts = lines(`
accept
agree
allow all
allow cookies
i consent
consent
got it
yes, i
continue with ads
continue to site
akzeptieren
zustimmen
einverstanden
einwilligen
annehmen
weiter mit werbung
accepter
j'accepte
tout accepter
consentir
aceptar
acepto
accetta
accetto
acconsento
aceitar
concordo
accepteren
akkoord
toestaan
zgadzam
akceptuj
zaakceptuj
přijmout
souhlasím
godkänn
acceptera
accepter alle
godta
hyväksy
elfogad
acceptați
принять
согласен
прийняти
kabul et
同意
すべて受け入れる
동의`)

var policies = lines(`
privacy policy
cookie policy
cookies policy
privacy notice
privacy statement
cookie notice
cookies
datenschutz
datenschutzerklärung
cookie-richtlinie
politique de confidentialité
politique de cookies
mentions légales
política de privacidad
política de cookies
informativa sulla privacy
cookie policy
privacybeleid
cookiebeleid
terms of use
terms of service`)
