package datasets

import (
	"regexp"

	"github.com/mklnb/mkl/data"
)

// sets returns the known datasets, sorted by name. The class +1 is the class of interest: a mine, a radar return that
// shows structure, a disease, a recurrence, a bad credit.
func sets() []set {
	return []set{
		{Info: Info{
			Name: "breast-ljubljana", Title: "Breast cancer (Ljubljana)",
			N: 277, D: 41, Classes: [2]string{"no-recurrence-events", "recurrence-events"},
			Source: "M. Zwitter and M. Soklič, University Medical Center, Institute of Oncology, Ljubljana " +
				"(1988), doi:10.24432/C51P4M" + weka + ", examples/breast-cancer.arff",
			License: uciLicense,
			SHA256:  "f24ae5f550538567f18c06e61fc76fdd2fe3135d0b513f31c77d5d3c106d8442",
			Note: "9 of the 286 points in the file have a missing cell (node-caps 8, breast-quad 1) and are dropped; " +
				"Options{Missing: Fill} keeps them and adds the columns node-caps=? and breast-quad=?",
		}, read: data.Options{Missing: data.Drop,
			Categorical: []string{"age", "tumor-size", "inv-nodes", "deg-malig"}}},
		{Info: Info{
			Name: "breast-wisconsin", Title: "Breast cancer Wisconsin (original)",
			N: 683, D: 9, Classes: [2]string{"benign", "malignant"},
			Source: "W. H. Wolberg, University of Wisconsin Hospitals (1990), doi:10.24432/C5HP4Z" + mlbench +
				", BreastCancer.rda",
			License: uciLicense,
			SHA256:  "8dcb7f2364871e209d6e6afc63ab2aab7dddcbb190d4377380af803cf073820d",
			Note: "16 of the 699 points in the file lack Bare.nuclei and are dropped; Options{Missing: Fill} keeps " +
				"them. Features are grades from 1 to 10, so many points are equal",
		}, read: data.Options{Missing: data.Drop, DropColumns: []string{"id"}}},
		{Info: Info{
			Name: "credit-g", Title: "German credit (Statlog)",
			N: 1000, D: 61, Classes: [2]string{"good", "bad"},
			Source:  "H. Hofmann, Universität Hamburg (1994), doi:10.24432/C5NC77" + weka + ", examples/credit-g.arff",
			License: uciLicense,
			SHA256:  "38b6dbf6fb4b0311a3ffc005730f42623128591fb36473ab3c22d270c0467632",
			Note: "20 attributes, 7 of them numeric. Some papers use another version with 24 numeric columns " +
				"(german.data-numeric)",
		}, read: data.Options{Positive: "bad"}},
		{Info: Info{
			Name: "electronics", Title: "Reviews of electronics with 1 to 5 stars",
			N: 2000, D: 5000,
			Source:  blitzer,
			License: "none stated; published for research",
			Note:    stars,
			SHA256:  "cf2fd66d073bf22c764d19f1fe2f8925c44c1393c9841d230afa29e93427ea6f", Size: 1269730,
			Publisher: dredze + ", electronics", File: reviewFile,
		}, read: data.Options{Label: "rating", Regression: true, Sequence: "text"},
			texts: true, reviews: true},
		{Info: Info{
			Name: "finefoods", Title: "Amazon reviews of fine foods",
			N: 5000, D: 5000, Classes: [2]string{"other", "great"},
			Source: "J. McAuley and J. Leskovec (2013), SNAP finefoods; file from Debian package " +
				"r-cran-modeldata 1.1.0-1, training_data and testing_data",
			License: "MIT (package); texts of the SNAP collection",
			SHA256:  "0e585410df2b0a6fb3b5703af031d4b56ee728164865db5f6f389c4f9bc45994",
			Note: "great means 5 stars; the file contains no other rating. The dataset replaces the reviews of " +
				"Blitzer, Dredze and Pereira (kitchen, electronics) but differs from them: its targets are two " +
				"classes, so errors have another scale. Bigrams were counted over all points. The division of the " +
				"file into training and test set is not used",
		}, read: data.Options{Label: "score", Positive: "great", Sequence: "review"},
			texts: true, file: "finefoods.csv.gz"},
		{Info: Info{
			Name: "globins", Title: "Globins: haemoglobin α and β, myoglobin",
			N: 45,
			Source: "UniProt; file from Debian package hmmer-examples 3.3.2+dfsg-1, tutorial/globins45.fa " +
				"(license GPL-3, of the R package)",
			License: "CC BY 4.0 (UniProt)",
			SHA256:  "f22ab65168f200b80fc7c2d6e567c9ffe88f3ebd499fa93c31631e69ae7ed64c",
			Note: "45 proteins of three kinds, given by the first letters of their names (HBA; HBB or HBE; MYG). A " +
				"toy dataset: nearly every method separates the classes. It replaces the protein dataset of Chen " +
				"et al. (2009) but differs from it",
		}, read: data.Options{Label: "1"}, file: "globins.fa", edit: addGlobinKinds},
		{Info: Info{
			Name: "heart-statlog", Title: "Heart disease (Statlog)",
			N: 270, D: 13, Classes: [2]string{"absent", "present"},
			Source:  "Statlog project, doi:10.24432/C57303" + ddalpha + ", data/heart.txt.gz",
			License: uciLicense,
			SHA256:  "f6e86091310ea117845667df5580053a944b0258bcc52053e72c33c3f7dfd01c",
			Note: "in the file, class 1 means absence and class 2 presence of disease. chest_pain, rest_ecg, slope " +
				"and thal are codes that are read as numbers, as in most papers; Options.Categorical encodes them as " +
				"columns of 0 and 1",
		}, rename: [2]string{"1", "2"}},
		{Info: Info{
			Name: "ionosphere", Title: "Ionosphere, radar returns",
			N: 351, D: 34, Classes: [2]string{"bad", "good"},
			Source: "V. Sigillito, S. Wing, L. Hutton and K. Baker, Johns Hopkins University (1989), " +
				"doi:10.24432/C5W01B" + mlbench + ", Ionosphere.rda",
			License: uciLicense,
			SHA256:  "023e3073056ee9608b844c52629ef7b1dff29d6de5d980121f8f7f616ed15eb5",
			Note:    "V2 is 0 in all points, so papers count 33 or 34 features",
		}},
		{Info: Info{
			Name: "kin-8nm", Title: "Robot arm of eight joints (kin-8nm)",
			N: 8192, D: 8,
			Source:  "Z. Ghahramani, family kin of Delve, University of Toronto",
			License: "none stated",
			Note: "theta1 to theta8 are angles from −π/2 to π/2, y is the distance from a target; highly non-linear, " +
				"medium noise. data.SimulatedArm simulates similar points without a file",
			SHA256: "fa953fd4646f0933034f07022dd3b5919be004edc065ac7715582fbb4ef49849", Size: 1064975,
			Publisher: "Delve, University of Toronto (family kin, kin-8nm)",
			File: "a CSV file with the header theta1,…,theta8,y, 8192 rows and numbers like -1.5119208e-02, lines " +
				"end in LF",
		}, read: data.Options{Regression: true}},
		{Info: Info{
			Name: "kitchen", Title: "Reviews of kitchenware with 1 to 5 stars",
			N: 2000, D: 5000,
			Source:  blitzer,
			License: "none stated; published for research",
			Note:    stars,
			SHA256:  "e5736469c0bbb694b216874f43c6a9b3d4870415a51d754dcc9c5202fef70f8d", Size: 1064699,
			Publisher: dredze + ", kitchen & housewares", File: reviewFile,
		}, read: data.Options{Label: "rating", Regression: true, Sequence: "text"},
			texts: true, reviews: true},
		{Info: Info{
			Name: "liver-bupa", Title: "Liver disorders (BUPA)",
			N: 345, D: 6, Classes: [2]string{"selector 1", "selector 2"},
			Source: "R. S. Forsyth, BUPA Medical Research Ltd. (1990), doi:10.24432/C54G67" + ddalpha +
				", data/bupa.txt.gz",
			License: uciLicense,
			SHA256:  "ab7c9f801a6fc0568605bda3796a3962d0b940a19ced4060fb1e2ff98438b5cc",
			Note: "the label marks points for training or testing; it is NOT a diagnosis (McDermott and Forsyth " +
				"2016), although papers predict it. A meaningful target is drinks: " +
				"Options{Label: \"drinks\", Regression: true, DropColumns: []string{\"selector\"}}",
		}, rename: [2]string{"1", "2"}},
		{Info: Info{
			Name: "parkinsons", Title: "Parkinson's disease, recordings of voices",
			N: 195, D: 22, Classes: [2]string{"healthy", "Parkinson's"},
			Source: "M. A. Little, University of Oxford (2007), doi:10.24432/C59C74; Little, McSharry, Roberts, " +
				"Costello and Moroz, BioMedical Engineering OnLine 6:23",
			License: uciLicense,
			SHA256:  "a36116c2deac07895b79ce97a2f99a1b3720ac4892995ff5c3b9ccb397ed2bc5", Size: 40697,
			Note: "six or seven recordings of each of 32 persons. Dataset.Group is the person: split by person " +
				"(compare.ByGroup), or test voices also occur in training. Some papers count 194 points of 21 " +
				"features; no published file has that size",
			Publisher: "the UCI Machine Learning Repository (Parkinsons, doi:10.24432/C59C74)",
			File:      "parkinsons.data",
			URL:       "https://archive.ics.uci.edu/ml/machine-learning-databases/parkinsons/parkinsons.data",
		}, read: data.Options{Label: "status", Group: "name"}, rename: [2]string{"0", "1"}, edit: cutRecordings},
		{Info: Info{
			Name: "pima", Title: "Pima Indians diabetes",
			N: 768, D: 8, Classes: [2]string{"neg", "pos"},
			Source: "National Institute of Diabetes and Digestive and Kidney Diseases (1990)" + mlbench +
				", PimaIndiansDiabetes.rda",
			License: "withdrawn from UCI; CC0 on other portals",
			SHA256:  "c264f9af0e268e237949109bef67fd0f7d67b0b4d8cc18bcb2cb7fc69acb40ac",
			Note: "0 means a missing value in glucose (5 points), pressure (35), triceps (227), insulin (374) and " +
				"mass (11); these zeros are read as numbers, as in most papers",
		}, read: data.Options{Positive: "pos"}},
		{Info: Info{
			Name: "proteins", Title: "Proteins by name (UniProt)",
			N: 1838,
			Source: "UniProt; file made of Debian package mmseqs2-examples 14-7e284+ds-1, " +
				"example-data/DB.fasta.gz and QUERY.fasta.gz (license GPL-3, of the R package)",
			License: "CC BY 4.0 (UniProt)",
			SHA256:  "3ab90611cd28035ec535e03aee1a65509ad3420f74daca1f72b87a9b9a924b0a",
			Note: "the class is the name of the protein (55 names); Options{Label: \"group\"} uses families of names " +
				"instead. Whole proteins with one name are similar, so the classes are much easier to separate " +
				"than the super-families of SCOP, which the dataset replaces. Fragments and sequences of more " +
				"than 1000 letters were dropped; 194 sequences are duplicates",
		}, read: data.Options{Label: "protein_name", Sequence: "sequence"}, file: "proteins.csv.gz"},
		{Info: Info{
			Name: "scop40", Title: "Eight super-families of protein domains (SCOPe 2.07, below 40 % identity)",
			N: 932,
			Source: "J.-M. Chandonia, N. K. Fox and S. E. Brenner, SCOPe 2.07 and ASTRAL (2018); Nucleic Acids " +
				"Research 47:D475",
			License: "none stated here; see the publisher's terms",
			Note: "the super-families a.4.1, b.1.18, b.29.1, b.40.4, c.1.8, c.3.1, c.47.1 and c.67.1, which papers " +
				"on protein similarities use; in older releases they have fewer domains",
			SHA256: "11cb26068bac2e4797ce6cd22cd360d92a5f973e71eba443751b563cdebabf42", Size: 210402,
			Publisher: "SCOPe, University of California, Berkeley (ASTRAL sequences below 40 % identity, release 2.07)",
			File: "a CSV file with the header domain,sccs,superfamily,sequence and the 932 domains of these " +
				"super-families in the order of astral-scopedom-seqres-gd-sel-gs-bib-40-2.07.fa, sequences in " +
				"upper case, lines end in LF",
		}, read: data.Options{Label: "superfamily", Sequence: "sequence"}},
		{Info: Info{
			Name: "sonar", Title: "Sonar, mines against rocks",
			N: 208, D: 60, Classes: [2]string{"R", "M"},
			Source:  "T. Sejnowski and R. P. Gorman (1988), doi:10.24432/C5T01Q" + mlbench + ", Sonar.rda",
			License: uciLicense,
			SHA256:  "881da0ae2519d66e81755c65c993bee20e4a693e006d8fd156de5add7b455836",
			Note: "R is a rock, M is a mine (a metal cylinder). The points are sorted by class and angle; shuffle " +
				"before splitting",
		}, read: data.Options{Positive: "M"}},
		{Info: Info{
			Name:  "votes84",
			Title: "Votes in the US House of Representatives, 1984",
			N:     435, D: 48, Classes: [2]string{"democrat", "republican"},
			Source: "Congressional Quarterly Almanac, 98th Congress (1985), doi:10.24432/C5C01P" + mlbench +
				", HouseVotes84.rda",
			License: uciLicense,
			SHA256:  "d52fe4ab4c43ab8265e5fa6cc64e934c6031ba2a90daedf6baeec361ff9a9e46",
			Note: "392 votes are empty, neither yea nor nay; they become a separate value (V1=?). " +
				"Options{Missing: Drop} keeps 232 points",
		}, read: data.Options{Positive: "republican", Missing: data.Fill}},
	}
}

// Descriptions that kitchen and electronics share.
const (
	blitzer = "J. Blitzer, M. Dredze and F. Pereira, Multi-Domain Sentiment Dataset 2.0, labeled reviews of " +
		"amazon.com; ACL 2007"
	dredze     = "M. Dredze, Johns Hopkins University (Multi-Domain Sentiment Dataset, version 2.0)"
	reviewFile = "the folder with positive.review and negative.review, 1000 reviews each, or the CSV table " +
		"label,rating,title,text that Import makes from it"
	stars = "ratings are 1, 2, 4 and 5 stars, never 3. Bigrams " +
		"were counted over all points. A few texts are duplicates"
)

var (
	globinName    = regexp.MustCompile(`(?m)^>(?:(HBA)|(HB)|(MYG))`)
	recordingName = regexp.MustCompile(`(?m)^(\w+)_\d+,`)
)

// addGlobinKinds puts the kind of a globin before its UniProt name: alpha before HBA_HUMAN, beta before HBB_HUMAN and
// HBE_PONPY, myoglobin before MYG_PHYCA.
func addGlobinKinds(raw []byte) []byte {
	return globinName.ReplaceAllFunc(raw, func(name []byte) []byte {
		kind := map[string]string{">HBA": ">alpha ", ">HB": ">beta ", ">MYG": ">myoglobin "}[string(name)]
		return append([]byte(kind), name[1:]...)
	})
}

// cutRecordings replaces the name of a recording by the person: phon_R01_S01_1 by phon_R01_S01.
func cutRecordings(raw []byte) []byte { return recordingName.ReplaceAll(raw, []byte("$1,")) }
