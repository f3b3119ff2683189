package frontier

// Spilled returns the number of requests in the file.
func (f *Frontier) Spilled() int { return f.file.live }
