package postgres

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"orbweaver"
)

// unset are the settings, with their values, by which the library takes none of them from a variable of the
// environment or from a file in the user's home: it prefers what it is given, empty or not. They are all of
// its settings but service, which a value of its own does not unset.
func unset() map[string]string {
	return map[string]string{
		"host": "", "port": "", "user": "", "database": "", "password": "", "passfile": "", "servicefile": "",
		"application_name": "orbweaver", "options": "", "timezone": "", "connect_timeout": "0", "target_session_attrs": "any",
		"sslmode": "prefer", "sslnegotiation": "", "sslsni": "1", "sslrootcert": "", "sslcert": "", "sslkey": "", "sslpassword": "", "sslcertmode": "allow",
		"krbspn": "", "krbsrvname": "", "channel_binding": "", "require_auth": "", "min_protocol_version": "", "max_protocol_version": "",
	}
}

// config returns how to connect, from the options alone. The library makes a Config in no other way than by
// parsing a text together with the environment.
func (o Options) config() (*pgconn.Config, error) {
	if os.Getenv("PGSERVICE") != "" {
		return nil, fmt.Errorf("the environment has PGSERVICE, by which settings would come from a file: begin orbweaver without it (%w)", orbweaver.ErrInput)
	}
	all := unset()
	all["port"] = "5432"
	for name, value := range o.Settings {
		switch _, known := all[name]; {
		case !known || name == "password" || name == "passfile" || name == "servicefile":
			return nil, fmt.Errorf("postgres.url: the setting %q is not taken (%w)", name, orbweaver.ErrInput)
		case value != "":
			all[name] = value
		}
	}
	if all["host"] == "" || all["user"] == "" {
		return nil, fmt.Errorf("postgres.url: no host, or no user (%w)", orbweaver.ErrInput)
	}
	all["sslrootcert"], all["sslcert"], all["sslkey"] = o.Authorities, o.Certificate, o.Key
	var pairs []string
	for name, value := range all {
		pairs = append(pairs, name+"='"+strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value)+"'")
	}
	cfg, err := pgconn.ParseConfig(strings.Join(pairs, " "))
	if err != nil {
		return nil, fmt.Errorf("postgres: %w (%w)", reason(err), orbweaver.ErrInput)
	}
	cfg.Password, cfg.RuntimeParams = o.Password, map[string]string{"application_name": all["application_name"]}
	if all["options"] != "" {
		cfg.RuntimeParams["options"] = all["options"]
	}
	return cfg, nil
}

// reason is what the library says is wrong, without the text that it parsed.
func reason(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}
