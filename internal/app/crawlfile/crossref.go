package crawlfile

// Crossref looks for pages like an item.
type Crossref struct {
	Item         string   `yaml:"item" as:"source" need:"unless each" type:"path or URL" doc:"The item: the URL of a page, or a file of HTML. In a comparison file with each it may be left out: then it is the item drawn. Without seeds the crawl begins with the item's links. It is kept in the crawl folder, so that it stays what it was."`
	Round        int      `yaml:"round" default:"2000" min:"1" max:"1000000" doc:"How many requests are taken from the frontier at a time, after which all that waits is ranked again. The first rounds are shorter: 100, 200, 400 and so on, so that what the first pages teach is soon of use."`
	Layers       int      `yaml:"layers" default:"2" min:"0" max:"4" doc:"The outermost layer of the context graph: layer 0 is the item and what is like it, each other what links to the one within."`
	Theta        float64  `yaml:"theta" default:"0.5" min:"0" max:"1" doc:"The relevance to the item above which a page is part of layer 0."`
	Accept       float64  `yaml:"accept" default:"0.25" min:"0" max:"1" doc:"The cosine of terms to layer 0 above which a page is accepted."`
	TermsPerItem int      `yaml:"terms_per_item" default:"25" min:"2" max:"100" doc:"How many terms of a page labels are learned from, the heaviest. What they cost grows with the square. With model it is the model's."`
	HalfLife     float64  `yaml:"half_life" default:"0" min:"0" max:"1e9" doc:"After how many pages a page counts half in what is learned of labels; 0: it counts for ever. With model it is the model's."`
	WordNet      string   `yaml:"wordnet" as:"folder" type:"path" doc:"The folder of a WordNet, whose synonyms are one term. With model it is where the WordNet that the model was learned with is now."`
	Order        string   `yaml:"order" default:"worth" oneof:"worth|layers" doc:"What goes first. worth: what is worth most, each layer counting a tenth of the one within. layers: what is expected in an inner layer, whatever its relevance; the paper's way, which finds less."`
	Without      []string `yaml:"without" oneof:"labels|layers|rerank|link_text|feedback" type:"list of: labels, layers, rerank, link_text, feedback" doc:"What is left out, to see what it is good for. labels: relevance is by terms alone. layers: there is layer 0 alone. rerank: what waits is ranked by new links to it alone. link_text: the words of links. feedback: what pages turned out to be that were linked to beside the same words."`
	Model        string   `yaml:"model" as:"folder" type:"path" doc:"The folder of a model of terms and labels to begin with: one that labels train made, or that of an earlier crawl. It stays as it is: what is learned goes into model in the crawl folder."`
}
