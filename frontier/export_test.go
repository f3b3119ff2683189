package frontier

// Spilled is how many requests wait in the file.
func (f *Frontier) Spilled() int { return f.file.live }
