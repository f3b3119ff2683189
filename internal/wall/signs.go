package wall

// A headerSign is a header that gives a wall away. Headers that a vendor sends with every answer, pages too, are no
// signs, or only of a refusal.
type headerSign struct {
	name, value string // canonical name; part of a value in lower case, empty: any
	vendor      string
	refused     bool // only with a status of refuses
}

var headerSigns = []headerSign{
	{"Cf-Mitigated", "challenge", "Cloudflare", false},
	{"X-Amzn-Waf-Action", "challenge", "AWS WAF", false},
	{"X-Amzn-Waf-Action", "captcha", "AWS WAF", false},
	{"Sg-Captcha", "challenge", "SiteGround", false},
	{"X-Vercel-Mitigated", "", "Vercel", false},
	{"X-Sucuri-Block", "", "Sucuri", false},
	{"X-Dd-B", "", "DataDome", true},
	{"X-Datadome", "", "DataDome", true},
	{"X-Datadome-Cid", "", "DataDome", true},
	{"X-Px-Block", "", "HUMAN (PerimeterX)", true},
	{"Set-Cookie", "techaro.lol-anubis-cookie-verification", "Anubis", false},
	{"Set-Cookie", "techaro.lol-anubis-auth-cookie-test", "Anubis", false},
	{"X-Anubis-Status", "challenge", "Anubis", false},
	{"X-Kpsdk-Ct", "", "Kasada", true},
	{"X-Kpsdk-Im", "", "Kasada", true},
	{"Server", "akamaighost", "Akamai", true},
	{"Server", "ddos-guard", "DDoS-Guard", true},
	{"X-Distil-Cs", "bypass", "Imperva", true},
	{"X-Deny-Reason", "", "a proxy on the way", true},
}

// A markupSign is a set of marks in tags and scripts, in lower case, that only a wall has together. Scripts that
// protected pages carry, too, are no signs.
type markupSign struct {
	vendor  string
	all     []string
	alone   bool // only if there is hardly anything beside
	refused bool // only with an error status of refuses
}

func mark(vendor string, all ...string) markupSign { return markupSign{vendor: vendor, all: all} }

func lone(vendor string, all ...string) markupSign {
	return markupSign{vendor: vendor, all: all, alone: true}
}

func refusal(vendor string, all ...string) markupSign {
	return markupSign{vendor: vendor, all: all, refused: true}
}

var markupSigns = []markupSign{
	mark("Anubis", ".within.website/x/cmd/anubis"),
	mark("Anubis", "anubis_challenge"),
	mark("Cloudflare", "_cf_chl_opt"),
	mark("Cloudflare", "cf-browser-verification"),
	mark("Cloudflare", "/cdn-cgi/l/chk_"),
	mark("Cloudflare", "cf-challenge-running"),
	mark("Cloudflare", "__cf_chl_"),
	mark("Cloudflare", "cf-error-details", "cdn-cgi/styles/cf.errors"),
	lone("Cloudflare", "/cdn-cgi/challenge-platform/h/", "orchestrate"),
	mark("DataDome", "captcha-delivery.com/"),
	mark("DataDome", "geo.captcha-delivery.com"),
	mark("AWS WAF", "awswafcookiedomainlist"),
	mark("AWS WAF", "gokuprops"),
	lone("AWS WAF", "awswaf.com/", "challenge.js"),
	lone("AWS WAF", "awswaf.com/", "captcha.js"),
	mark("HUMAN (PerimeterX)", "px-captcha"),
	mark("HUMAN (PerimeterX)", "_pxappid", "captcha.js"),
	mark("HUMAN (PerimeterX)", "captcha.px-c"),
	mark("HUMAN (PerimeterX)", "_pxblock"),
	mark("Imperva", "_incapsula_resource?cwudnsai"),
	lone("Imperva", "<iframe", "_incapsula_resource"),
	lone("Imperva", "_incapsula_resource", "noindex"),
	refusal("Imperva", "_incapsula_resource"),
	mark("Imperva", "distil_r_captcha"),
	lone("Imperva", "reeseskipexpirationcheck"),
	lone("Imperva", "onprotectioninitialized"),
	mark("Akamai", "/_sec/cp_challenge"),
	mark("Akamai", "sec-if-cpt-container"),
	mark("Akamai", "sec-bc-"),
	lone("Akamai", "bm-verify="),
	lone("Akamai", "triggerinterstitialchallenge"),
	mark("Sucuri", "sucuri_cloudproxy_js"),
	mark("Sucuri", "cdn.sucuri.net/sucuri-firewall-block"),
	refusal("Sucuri", "sucuri.net/"),
	mark("Kasada", "kpsdk", "ips.js"),
	mark("SiteGround", "/.well-known/sgcaptcha/"),
	mark("DDoS-Guard", "/.well-known/ddos-guard/", "ddg-"),
	lone("DDoS-Guard", "/.well-known/ddos-guard/"),
	mark("Vercel", "/.well-known/vercel/security/"),
	mark("Radware", "validate.perfdrive.com"),
	mark("Imunify360", "wsidchk"),
	mark("Imunify360", "/z0f76a1d14fd21a8fb5fd0d03e0fdc3d3cedae52f"),
	mark("StackPath", "sp-captcha"),
	mark("F5", "/tspd/", "apm_do_not_touch"),
	lone("F5", "/tspd/"),
	mark("Fastly", "_fs-ch-"),
	mark("Alibaba", "acw_sc__v2"),
	mark("Alibaba", "_____tmd_____/punish"),
	mark("Tencent", "waf-captcha", "tcaptcha"),
	mark("Amazon", "/errors/validatecaptcha"),
	mark("Google", "/sorry/index", "captcha-form"),
	mark("Reblaze", "rbzns"),
	lone("InfinityFree", "/aes.js", "__test="),
	mark("Bunny", "/.bunny-shield/"),
	mark("go-away", "/.well-known/.git.gammaspectra.live/"),
	mark("basedflare", "/.basedflare/"),
	mark("haproxy-protection", "/.bot-check"),
	mark("Cerberus", "cerberus-challenge"),
}

// A widget is a CAPTCHA that also stands in ordinary forms: a wall if hardly anything else is there.
var widgets = []struct{ vendor, mark string }{
	{"Turnstile", "challenges.cloudflare.com/turnstile"},
	{"Turnstile", "cf-turnstile"},
	{"hCaptcha", "hcaptcha.com/1/api.js"},
	{"hCaptcha", "h-captcha"},
	{"hCaptcha", "hcaptcha.com/"},
	{"reCAPTCHA", "g-recaptcha"},
	{"reCAPTCHA", "recaptcha/api"},
	{"reCAPTCHA", "recaptcha/enterprise"},
	{"GeeTest", "geetest.com/"},
	{"Arkose Labs", "arkoselabs.com/"},
	{"Arkose Labs", "funcaptcha"},
	{"Friendly Captcha", "frc-captcha"},
	{"ALTCHA", "<altcha-widget"},
	{"mCaptcha", "mcaptcha__"},
	{"Tencent", "tcaptcha.js"},
	{"Cap", "<cap-widget"},
	{"Yandex", "smartcaptcha"},
	{"Yandex", "/checkcaptcha"},
}

// noVendor is the vendor of a wall without a name.
const noVendor = "unknown"

// A wallWord is what a wall says: as a part of its title, or within its text.
type wallWord struct {
	says, vendor   string
	title, refused bool
}

var wallWords = []wallWord{
	{"making sure you're not a bot", "Anubis", true, false},
	{"just a moment", "Cloudflare", true, false},
	{"attention required! | cloudflare", "Cloudflare", true, false},
	{"ddos protection by cloudflare", "Cloudflare", false, false},
	{"sorry, you have been blocked", "Cloudflare", false, true},
	{"please enable cookies.\nsorry, you have been blocked", "Cloudflare", false, false},
	{"incapsula incident id", "Imperva", false, false},
	{"request unsuccessful. incapsula", "Imperva", false, false},
	{"powered by incapsula", "Imperva", false, true},
	{"additional security check is required", "Imperva", true, false},
	{"pardon our interruption", "Imperva", true, false},
	{"sucuri website firewall", "Sucuri", true, false},
	{"sucuri website firewall", "Sucuri", false, true},
	{"you are being redirected...", "Sucuri", true, false},
	{"press & hold to confirm", "HUMAN (PerimeterX)", false, false},
	{"access to this page has been denied", "HUMAN (PerimeterX)", true, false},
	{"powered and protected by akamai", "Akamai", false, false},
	{"errors.edgesuite.net", "Akamai", false, true},
	{"vercel security checkpoint", "Vercel", true, false},
	{"ddos-guard", "DDoS-Guard", true, false},
	{"radware bot manager", "Radware", false, false},
	{"imunify360 bot-protection", "Imunify360", false, false},
	{"generated by wordfence", "Wordfence", false, true},
	{"this response was generated by wordfence", "Wordfence", false, false},
	{"the requested url was rejected. please consult with your administrator", "F5", false, false},
	{"client challenge", "Fastly", true, false},
	{"our systems have detected unusual traffic from your computer network", "Google", false, false},
	{"enter the characters you see below", "Amazon", false, false},
	{"robot or human", "HUMAN (PerimeterX)", true, false},
	{"generated by cloudfront", "AWS WAF", false, true},
	{"request blocked", noVendor, true, true},
	{"verify you are human", noVendor, false, false},
	{"verify you are a human", noVendor, false, false},
	{"verify that you are human", noVendor, false, false},
	{"verify that you are a human", noVendor, false, false},
	{"verify that you're not a robot", noVendor, false, false},
	{"verify you are not a robot", noVendor, false, false},
	{"verify that you are not a robot", noVendor, false, false},
	{"verifying you are human", noVendor, false, false},
	{"verifying your browser", noVendor, false, false},
	{"verifying that you are human", noVendor, false, false},
	{"verifying that you are not a robot", noVendor, false, false},
	{"make sure you are human", noVendor, false, false},
	{"make sure you're human", noVendor, false, false},
	{"make sure you are not a robot", noVendor, false, false},
	{"make sure you're not a robot", noVendor, false, false},
	{"confirm you are human", noVendor, false, false},
	{"confirm that you are human", noVendor, false, false},
	{"confirm you are a human", noVendor, false, false},
	{"confirm you're not a robot", noVendor, false, false},
	{"confirm you are not a robot", noVendor, false, false},
	{"confirm that you are not a robot", noVendor, false, false},
	{"prove you are human", noVendor, false, false},
	{"prove that you are human", noVendor, false, false},
	{"prove you're not a robot", noVendor, false, false},
	{"needs to review the security of your connection", "Cloudflare", false, false},
	{"checking your browser before accessing", noVendor, false, false},
	{"checking your browser", noVendor, true, false},
	{"checking if the site connection is secure", "Cloudflare", false, false},
	{"are you a robot", noVendor, true, false},
	{"are you human", noVendor, true, false},
	{"i'm not a robot", noVendor, true, false},
	{"robot check", noVendor, true, false},
	{"bot verification", noVendor, true, false},
	{"human verification", noVendor, true, false},
	{"security check", noVendor, true, false},
	{"security verification", noVendor, true, false},
	{"security challenge", noVendor, true, false},
	{"browser check", noVendor, true, false},
	{"captcha", noVendor, true, false},
	{"complete the captcha", noVendor, false, false},
	{"solve the captcha", noVendor, false, false},
	{"complete the security check", noVendor, false, false},
	{"completing the captcha", noVendor, false, false},
	{"please complete the following challenge", noVendor, false, false},
	{"type the characters you see in", noVendor, false, false},
	{"automated access to this", noVendor, false, true},
	{"unusual activity from your", noVendor, false, false},
	{"unusual traffic from your", noVendor, false, false},
	{"detected unusual activity", noVendor, false, false},
	{"bestätigen sie, dass sie ein mensch sind", noVendor, false, false},
	{"bestätigen sie, dass sie kein roboter sind", noVendor, false, false},
	{"ob sie ein mensch sind", noVendor, false, false},
	{"ihr browser wird überprüft", noVendor, false, false},
	{"sicherheitsüberprüfung", noVendor, true, false},
	{"vérifiez que vous êtes humain", noVendor, false, false},
	{"que vous êtes un humain", noVendor, false, false},
	{"que vous n'êtes pas un robot", noVendor, false, false},
	{"que eres humano", noVendor, false, false},
	{"que no eres un robot", noVendor, false, false},
	{"que es usted humano", noVendor, false, false},
	{"che sei un essere umano", noVendor, false, false},
	{"di non essere un robot", noVendor, false, false},
	{"que você é humano", noVendor, false, false},
	{"que você não é um robô", noVendor, false, false},
	{"dat u een mens bent", noVendor, false, false},
	{"dat je geen robot bent", noVendor, false, false},
	{"że jesteś człowiekiem", noVendor, false, false},
	{"подтвердите, что вы человек", noVendor, false, false},
	{"что вы не робот", noVendor, false, false},
	{"проверка браузера", noVendor, true, false},
	{"请完成安全验证", noVendor, false, false},
	{"安全验证", noVendor, true, false},
	{"人机验证", noVendor, true, false},
	{"あなたが人間であること", noVendor, false, false},
	{"ロボットではありません", noVendor, false, false},
}

var parkedSigns = []struct{ vendor, mark string }{
	{"Sedo", "sedoparking.com"}, {"ParkingCrew", "parkingcrew.net"}, {"Bodis", "bodis.com"},
	{"Afternic", "afternic.com/forsale"}, {"GoDaddy", "img1.wsimg.com/parking-lander"}, {"GoDaddy", "parking-lander"},
	{"HugeDomains", "hugedomains.com/domain_profile"}, {"Dan.com", "cdn0.dan.com/"}, {"Dan.com", "dan.com/buy-domain"},
	{"Above.com", "above.com/marketplace"}, {"ParkLogic", "parklogic.com"}, {"Uniregistry", "uniregistry.com/buy"},
	{"Namecheap", "namecheap.com/parking"}, {"Namecheap", "parkingpage.namecheap.com"},
	{"Google AdSense for Domains", "adsense/domains/caf.js"}, {"Skenzo", "skenzo.com"}, {"Voodoo", "voodoo.com/"},
	{"", "location.href=\"/lander\""}, {"", "location.href='/lander'"}, {"", "location.href = \"/lander\""},
	{"", "location.replace(\"/lander"}, {"", "window.park = "},
}

var consentSigns = []struct{ vendor, mark string }{
	{"Google", "consent.google."}, {"YouTube", "consent.youtube."}, {"Yahoo", "consent.yahoo."},
	{"Yahoo", "guce."}, {"OneTrust", "onetrust"}, {"OneTrust", "cookielaw.org"}, {"Sourcepoint", "sp_message"},
	{"Sourcepoint", "privacy-mgmt.com"}, {"Sourcepoint", "sourcepoint"}, {"Didomi", "didomi"}, {"Usercentrics", "usercentrics"},
	{"Cookiebot", "cookiebot"}, {"Quantcast", "quantcast"}, {"Quantcast", "qc-cmp"}, {"TrustArc", "trustarc"},
	{"TrustArc", "truste.com"}, {"consentmanager", "consentmanager"}, {"contentpass", "contentpass"},
	{"iubenda", "iubenda"}, {"Axeptio", "axeptio"}, {"CookieYes", "cookieyes"}, {"Osano", "osano"},
	{"Commanders Act", "trustcommander"}, {"InMobi", "inmobi"}, {"Piano", "piano.io"}, {"SFBX", "appconsent"},
}
