package markup

// AppendText appends character data as canonical XML has it.
func AppendText(dst, text []byte) []byte {
	for _, x := range text {
		switch x {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '\r':
			dst = append(dst, "&#xD;"...)
		default:
			dst = append(dst, x)
		}
	}
	return dst
}

// AppendValue appends the value of an attribute, without its quotes, as canonical XML has it.
func AppendValue(dst []byte, value string) []byte {
	for i := range len(value) {
		switch x := value[i]; x {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '"':
			dst = append(dst, "&quot;"...)
		case '\t':
			dst = append(dst, "&#x9;"...)
		case '\n':
			dst = append(dst, "&#xA;"...)
		case '\r':
			dst = append(dst, "&#xD;"...)
		default:
			dst = append(dst, x)
		}
	}
	return dst
}
