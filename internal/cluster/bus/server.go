package bus

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// ServerOptions say what a server is.
type ServerOptions struct {
	Name   string // unique in its cluster, and the same at each start
	Folder string // of JetStream, the server's alone

	Listen          string // host:port for clients, port 0 for any; empty: connections within the process alone, and no cluster
	User, Password  string // of clients, and among the servers of a cluster
	Token           string // instead of user and password
	TLS             TLS    // for clients, and among servers
	Cluster         Cluster
	SyncAlways      bool  // sync to disk before each acknowledgement, not every two minutes
	Memory, Storage int64 // bytes at most for JetStream; 0: what the server thinks fit

	Log func(level, text string) // level is error, warn or info; nil: nobody is told
}

// A Cluster is what a server knows of the others. The zero Cluster is none.
type Cluster struct {
	Name   string   // the same at all servers
	Listen string   // host:port for other servers
	Routes []string // host:port of all servers, which may have this one among them: their number is what a majority is of
	// Advertise is host:port under which other servers reach this one, if that is not Listen. No client is told of other servers then.
	Advertise string
}

// A Server is a server within this process.
type Server struct {
	server  native
	options ServerOptions
}

// native is NATS' *server.Server. Were it a field, whoever imports this package would compile its generic types again.
type native interface {
	nats.InProcessConnProvider
	Start()
	ReadyForConnections(within time.Duration) bool
	NumRemotes() int
	ClientURL() string
	Shutdown()
	WaitForShutdown()
}

// How long a server takes to listen at most, once it has read its folder, and how long it is waited for before its log is looked at.
const (
	starting = 10 * time.Second
	ready    = 50 * time.Millisecond
)

// StartServer starts a server, and returns when it has read its folder and listens. A cluster takes some seconds more, and a
// majority of its servers, to elect a leader: [Dial] waits for that.
func StartServer(o ServerOptions) (*Server, error) {
	options, err := nativeOptions(o)
	if err != nil {
		return nil, fmt.Errorf("server %s: %w", o.Name, err)
	}
	own, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("server %s: %w", o.Name, err)
	}
	log := &journal{tell: o.Log, fatal: make(chan error, 1)}
	own.SetLoggerV2(log, false, false, false)
	s := &Server{server: own, options: o}
	if err := s.start(log); err != nil {
		s.Close()
		return nil, fmt.Errorf("server %s: %w", o.Name, err)
	}
	return s, nil
}

// start starts the server, and waits until it is ready or has said why it is not.
func (s *Server) start(log *journal) error {
	s.server.Start()
	for until := time.Now().Add(starting); ; {
		select {
		case err := <-log.fatal:
			return err
		default:
		}
		if s.server.ReadyForConnections(ready) {
			return nil
		}
		if time.Now().After(until) {
			return errors.New("it does not listen")
		}
	}
}

// nativeOptions translates options.
func nativeOptions(o ServerOptions) (*server.Options, error) {
	if err := checkName("name", o.Name); err != nil {
		return nil, err
	}
	if o.Folder == "" {
		return nil, errors.New("no folder")
	}
	n := &server.Options{
		ServerName: o.Name, NoSigs: true, NoLog: true, DisableJetStreamBanner: true, DontListen: o.Listen == "",
		JetStream: true, StoreDir: o.Folder, SyncAlways: o.SyncAlways, JetStreamMaxMemory: o.Memory, JetStreamMaxStore: o.Storage,
		Username: o.User, Password: o.Password, Authorization: o.Token, MaxPayload: maxPayload,
	}
	var err error
	if o.Listen != "" {
		if n.Host, n.Port, err = address(o.Listen); err != nil {
			return nil, err
		}
	}
	if o.TLS.used() {
		if n.TLSConfig, err = o.TLS.serverConfig(); err != nil {
			return nil, err
		}
		n.TLS, n.TLSVerify, n.TLSTimeout = true, o.TLS.CA != "", server.DEFAULT_ROUTE_CONNECT.Seconds()*2
	}
	if o.Cluster.Name == "" {
		return n, nil
	}
	return n, addRoutes(n, o)
}

// addRoutes adds what a server of a cluster needs.
func addRoutes(n *server.Options, o ServerOptions) (err error) {
	if err = checkName("cluster", o.Cluster.Name); err != nil {
		return err
	}
	if o.Listen == "" { // NATS takes routes when it has begun to listen, and hangs at the end if it never has
		return errors.New("a server of a cluster listens for clients")
	}
	if len(o.Cluster.Routes) == 0 {
		return errors.New("a server of a cluster knows routes")
	}
	n.Cluster.Name, n.Cluster.Advertise, n.Cluster.NoAdvertise = o.Cluster.Name, o.Cluster.Advertise, o.Cluster.Advertise != ""
	if n.Cluster.Host, n.Cluster.Port, err = address(o.Cluster.Listen); err != nil {
		return err
	}
	if o.TLS.used() {
		if n.Cluster.TLSConfig, err = o.TLS.serverConfig(); err != nil {
			return err
		}
		n.Cluster.TLSTimeout = n.TLSTimeout
	}
	var user *url.Userinfo
	switch {
	case o.Token != "": // routes know users alone
		user = url.UserPassword(o.Cluster.Name, o.Token)
		n.Cluster.Username, n.Cluster.Password = o.Cluster.Name, o.Token
	case o.User != "":
		user = url.UserPassword(o.User, o.Password)
		n.Cluster.Username, n.Cluster.Password = o.User, o.Password
	}
	for _, route := range o.Cluster.Routes {
		if _, _, err := address(route); err != nil {
			return err
		}
		n.Routes = append(n.Routes, &url.URL{Scheme: "nats", Host: route, User: user})
	}
	return nil
}

// address splits host:port. Port 0 is any.
func address(s string) (host string, port int, err error) {
	host, digits, err := net.SplitHostPort(s)
	if err != nil {
		return "", 0, err
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return "", 0, fmt.Errorf("address %s: no port", s)
	}
	if port = int(n); port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// Servers returns how many servers of its cluster this one sees, with itself, and how many there are: a majority of these must be there.
func (s *Server) Servers() (there, of int) {
	return 1 + s.server.NumRemotes(), max(len(s.options.Cluster.Routes), 1)
}

// URL is where clients find the server; empty if it does not listen.
func (s *Server) URL() string {
	if s.options.Listen == "" {
		return ""
	}
	return s.server.ClientURL()
}

// Close stops the server and returns when it is down. Clients within the process are disconnected.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

// A journal passes on what a server says. What it calls fatal ends its start, and not the process.
type journal struct {
	tell  func(level, text string)
	fatal chan error // the first
}

func (j *journal) say(level, format string, v []any) {
	if j.tell != nil {
		j.tell(level, fmt.Sprintf(format, v...))
	}
}

// Noticef implements the server's logger.
func (j *journal) Noticef(format string, v ...any) { j.say("info", format, v) }

// Warnf implements the server's logger.
func (j *journal) Warnf(format string, v ...any) { j.say("warn", format, v) }

// Errorf implements the server's logger.
func (j *journal) Errorf(format string, v ...any) { j.say("error", format, v) }

// Debugf implements the server's logger.
func (j *journal) Debugf(string, ...any) {}

// Tracef implements the server's logger.
func (j *journal) Tracef(string, ...any) {}

// Fatalf implements the server's logger.
func (j *journal) Fatalf(format string, v ...any) {
	j.say("error", format, v)
	select {
	case j.fatal <- fmt.Errorf(format, v...):
	default:
	}
}
