// Package online predicts the class of the document behind a link before it is fetched, and learns from every
// outcome.
//
// # Model
//
// A link is a set of features, hashed into 2^18 cells: its URL, the text on and around it, the rules that
// fired, and the outcomes of earlier links to the same domain, host and URL shape. The class is one of N, H,
// HR, R, by softmax regression:
//
//	z_c = b_c + Σ_i w_ic x_i        P(c) = e^z_c / Σ_k e^z_k        value = P(R) + 2/3 P(HR) + 1/3 P(H)
//
// Features come in groups, one per property of the link (host, path, anchor, …). With G groups present and n
// features in group i
//
//	x_i = 1/√(G n),  so that  Σ x_i² = 1:
//
// every property has the same influence at first, and the words of a long text share that of their group.
//
// The offset b of an untried link is given by the rules and never learned: ln 27 for the class that they assign to the link, 0
// for the others, which gives that class probability 0.9 and each other one 1/30. Without rules all classes
// have the same offset. An untrained model therefore orders links as the rules do, with the same ties.
//
// Predictions also have what came of links of the same shape (host, directories with their numbers folded, and extension): with n_c outcomes of
// class c, of which those of N are at least the failures in the same directory since RDF came from there, b_c = ln(p_c + min(1, 8/n) n_c), p the
// rules' prediction: the mean of a Dirichlet posterior whose prior counts as one outcome. Weights are learned beside the rules' offset alone, so that
// what a shape explains also teaches of words and places.
//
// The weights have a Gaussian posterior with independent coordinates: they start at 0 with variance s², and a
// cell has one variance 1/(1/s² + q) for all its classes. s² follows only from the trust in the rules. Two
// logits differ by the rules' ln 27 plus noise of variance 2s²; requiring that the noise exceeds it with
// probability 1/30 gives s = ln 27 / (√2 · 1.834) = 1.271.
//
// An outcome y moves the logits, whose variance is v = Σ x_i²/(1/s² + q_i), to the maximum of the posterior
// given this one observation, and each weight by its share:
//
//	z' = argmax  ln softmax_y(z) − |z − z0|²/2v
//	w_ic += x_i/(1/s² + q_i) · (1{c=y} − P'(c))
//	q_i  += x_i² (1 − Σ_c P'(c)²)/3
//
// The step is implicit (Kulis and Bartlett, "Implicit Online Learning", ICML 2010): it never overshoots the
// observation, so no learning rate has to be chosen. The variance decreases with the curvature seen, as in
// AdaGrad and in Chapelle and Li ("An Empirical Evaluation of Thompson Sampling", NIPS 2011, algorithm 3).
// The prior is the L2 term. Since the components of a step add up to 0 over the classes, so do the weights,
// and those of N are not stored.
//
// What is not there (Miss) moves only the weights of the path and of the rules at the host, and counts in the history of its
// shape alone.
//
// # Histories
//
// A history counts the classes of the outcomes at a domain, a host or a shape (host, directories with their
// numbers folded, and extension). Its features are the shares of R, HR and N quantized to five steps, each
// combined with the number of outcomes quantized to six. They are updated at the first eight outcomes and
// then four times per doubling of their number, so that waiting requests are not reranked after every page.
//
// # Relation to the literature
//
// The paper has only rules, which are the starting point here. The closest work is Meusel, Mika and Blanco,
// "Focused Crawling for Structured Data" (CIKM 2014), which also learns online from links and selects hosts
// by a bandit. Here hosts are histories in the same model. Hope replaces the bandit's exploration
// deterministically: it is the value of the logits moved by one standard deviation, √v, towards the better
// classes. A crawl that ranks by the value alone, and whose first links by the rules happen to fail, would
// fetch all HTML pages it is sure of before it tries another such link.
//
// Two limits follow. Coordinates are not independent: v is too large for features that always occur together
// and decreases more slowly than it should, so recent outcomes have more weight. And RDF behind links that
// the rules take for HTML is found late, since a certain HTML page is worth one third.
//
// Rules, link selection and the classification of pages are outside this package.
//
// This package is not part of the stable API.
package online
