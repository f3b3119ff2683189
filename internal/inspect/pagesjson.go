package inspect

import (
	"bytes"
	"encoding/json"

	"orbweaver/ledger"
	"orbweaver/weburl"
)

// jsonOf writes a line as pages.jsonl has it, or of it the columns asked for, in their order; what a
// line does not have is left out there too.
func jsonOf(l ledger.Line, columns []string) ([]byte, error) {
	if len(columns) == 0 {
		var whole bytes.Buffer
		e := json.NewEncoder(&whole)
		e.SetEscapeHTML(false)
		err := e.Encode(l)
		return whole.Bytes(), err
	}
	line, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(line, &keys); err != nil {
		return nil, err
	}
	if keys["host"], err = json.Marshal(weburl.Hostname(l.URL)); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for _, c := range columns {
		value, there := keys[c]
		if !there {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + c + `":`)
		b.Write(plainJSON(value))
	}
	b.WriteString("}\n")
	return b.Bytes(), nil
}
