// Package online predicts the class of what is behind a link before it is fetched, and learns from
// every outcome.
//
// # What it computes
//
// A link is a set of features, hashed into 2^18 cells: those of where it leads, of what is written on
// it and around it, of the rules that fired, and of what became of earlier links to the same domain,
// host and shape of URL. The class is one of N, H, HR, R, by softmax regression:
//
//	z_c = b_c + Σ_i w_ic x_i        P(c) = e^z_c / Σ_k e^z_k        value = P(R) + 2/3 P(HR) + 1/3 P(H)
//
// Features come in groups, one a property of the link (host, path, anchor, …). With G groups present
// and n features in that of i
//
//	x_i = 1/√(G n),  so that  Σ x_i² = 1:
//
// every property has the same say at first, and the words of a long text divide that of theirs.
//
// The offset b is what the rules say. It is never learned: ln 27 for the class that they give the link,
// 0 for the others, which is to trust them in nine cases of ten and each other class in one of thirty.
// Without rules all classes are alike. An untrained model therefore orders links as the rules do, equal
// ones equally.
//
// The weights are a Gaussian posterior with independent coordinates: they start at 0 with variance s²,
// and a cell has one variance 1/(1/s² + q) for its classes. s² follows from the trust in the rules and
// from nothing else. Two logits differ by the rules' ln 27 plus noise of variance 2s²; that the noise
// is to outweigh it in one case of thirty gives s = ln 27 / (√2 · 1.834) = 1.271.
//
// An outcome y moves the logits, whose variance is v = Σ x_i²/(1/s² + q_i), to where the posterior of
// this one observation is greatest, and the weights by their part in that:
//
//	z' = argmax  ln softmax_y(z) − |z − z0|²/2v
//	w_ic += x_i/(1/s² + q_i) · (1{c=y} − P'(c))
//	q_i  += x_i² (1 − Σ_c P'(c)²)/3
//
// The step is implicit (Kulis and Bartlett, "Implicit Online Learning", ICML 2010): it never goes beyond
// what the outcome calls for, so no learning rate has to be chosen. The variance shrinks by the
// curvature seen, as in AdaGrad and as in Chapelle and Li ("An Empirical Evaluation of Thompson
// Sampling", NIPS 2011, algorithm 3). The prior is the L2 term. Since the parts of a step add up to 0
// over the classes, so do the weights, and that of N is not kept.
//
// # Histories
//
// A history counts the classes of the outcomes at a domain, a host or a shape: host, directories with
// their numbers folded, and extension. Its features are the shares of R, HR and N in five steps, each
// by how many outcomes there were in six. They are renewed at the first eight outcomes and then four
// times until the number has doubled, so that what waits does not change its place at every page.
//
// # Where it leaves the paper
//
// The paper has rules only; theirs is where this starts. The nearest relative is Meusel, Mika and
// Blanco, "Focused Crawling for Structured Data" (CIKM 2014), who learn online from links too and choose
// among hosts by a bandit. Here hosts are histories in the one model. What the bandit is for, that one
// who takes what seems best never learns that it was not, is left to Hope: the value of logits moved by
// one standard deviation, √v, towards the better classes. It leaves nothing to chance. A crawl that
// ranks by the value alone, and whose first links by the rules happened to fail, goes through all pages
// of HTML that it is sure of before it tries another.
//
// Two limits follow. Coordinates are not independent, so v is too large for features that always come
// together, and shrinks more slowly than it should: what came last counts for more. And RDF behind
// links that the rules take for HTML is found late, since a page of HTML that is sure is worth a third.
//
// What a rule is, which links are followed and what a page turned out to be is not its business.
//
// This package is not part of the stable API.
package online
