// Package compare compares methods on repeated train and test splits of one dataset, tunes their
// hyperparameters by cross-validation, and gives an interval for each difference.
//
//	halves, err := compare.Halves(d.Y, 30, 7)
//	s := &compare.Study{Data: d, Splits: halves, Methods: []compare.Method{
//		{Name: "uniform", Family: f, Grid: compare.Grid{compare.Ridge(), compare.Rules(mkl.Uniform{})}},
//		{Name: "learned", Family: f, Grid: compare.Grid{compare.Ridge(), compare.Balls(2, 1, 0.5, 2)}},
//	}}
//	table, err := s.Run(ctx, nil)
//
// Package learn does all of it in one call, and fits the model.
//
// # What is tried
//
// The grid of a method is a cross of axes: of losses with the values of their constant, of sets Θ, of
// regularisers and of rules. Ridge, Balls, Beta and Singles are short for common ones, Losses, Sets, Regs
// and Rules make any other, of types from any package. All is plain data, which Save writes to a file
// and Load reads. The axis of losses is a path:
// its values are solved one after the other, each from the θ and the dual coefficients of the one
// before. A path that is Extendable goes on beyond an end that is chosen.
//
// # How it is chosen
//
// By the error on points left out, of folds or, where θ does not look at targets, of leave-one-out.
// Learned weights have seen the label that leave-one-out leaves out, and for small λ they fit it:
// Learn chooses their λ by folds.
//
// Where F has several minima (no global certificate), what a solve finds depends on its start: what is fitted with the
// constants chosen is then, in Learn (Selection.Restarts), solved anew and from the weights of a fold, and the lower
// F is taken. Learn compares the error on points left out that the model's weights have with the one that it was
// chosen by, and warns (Learned.Warnings).
//
// # No leaks
//
// Whatever is fitted or chosen is fitted and chosen inside the training part of a split: what the
// family fits to its points (scales, centring) is fitted again in every fold, by Problem.Slice; the
// mean of the targets is that of the training part; constants are chosen inside it. Selection.Once
// chooses on all the data, as papers do, and the table says so.
//
// Points of one person, or of one object, know each other: where the data has groups (Dataset.Group),
// folds keep them whole, and so do Learn and splits by ByGroup. Learn keeps equal points in one group. Where what
// comes later must not help to predict what came before, TimeSeriesSplits makes splits by time.
//
// # Order does not matter
//
// A study is cut into tasks, one for each method and fold and one for each method and split. What a
// task returns depends on the data and its own part of the question alone, so the table is the same
// bit for bit, times apart, whatever the number of workers, and a finished task may be kept
// (Study.Store) for a later run.
//
// # Stopped, resumed, on many machines
//
// What is finished is in the store, one file a task under a key of all that it depends on: the numbers of the data, the
// rows, the method, the linear algebra and the code. A run that was stopped or killed computes what is missing: at most
// what was in flight is computed twice. Results of another backend or other code have other keys: a table cannot
// mix them. A file that is damaged is computed anew, and a note counts it. Keeping one of 10,000 tasks of 200 points
// costs 90 µs of processor time, reading it again 80 µs; by the clock, on two cores that were busy besides, all 10,000
// took 1.5 to 1.9 s with a store, .7 to .9 s without, and .55 to .9 s to be found again (BenchmarkUnits).
//
// Units are the parts that machines share: a split with all methods, and of Selection.Once the choice. RunUnits runs
// some of them, Kept is the table of what is there; a study in three shards with three folders whose files are copied
// together has the same table, byte for byte but for seconds, as one in one process. The command
// algos/compare/cmd/mkl-study does so for any scheduler; its examples are a SLURM job array, a Kubernetes Indexed Job
// and Snakemake rules. Programs find each other's results where they have the same code (package store): the same
// program file everywhere, or programs built in copies of one checkout, as that in the image of docker/ is.
//
// The passes of a certificate of more points than one machine cares to sweep are cut and kept alike, and mkl-study
// merges their folders; what makes them is a program of one's own, of the three lines that Passes shows.
//
// A million units on a thousand machines, on paper:
//
//   - Units: shard i of 1,000 has 1,000. Keeping a task costs some 0.2 ms: one shorter than that is better not kept.
//   - The file names the rows of every split: of 200 points 0.8 GB, which each machine would read. Each machine gets a
//     file with its own 1,000 splits instead; the keys are the same, since no unit knows how many others there are.
//   - The store: one folder a shard (-store results/$i), best on the machine's own disk. A million units of ten tasks
//     are 10⁷ files of 0.5 to 2 kB, 10⁴ a folder. One shared folder of 10⁷ files is slow on network file systems; it is
//     for small studies that choose their constants once and share that.
//   - Merging copies files, some 0.2 ms each on a disk and 2 ms over a network: by one process, hours. The table
//     reads all of them, 70 µs each: 12 minutes of one core. One would rather make a table a shard and put their rows
//     together, which nothing here does yet.
//   - Stragglers: units are dealt, not queued, so the slowest machine decides. A late shard is begun a second time on a
//     copy of its folder, or cut: i of 1,000 is i and i+1,000 of 2,000, which find by key what is there. Engines that
//     queue (package beam, beside this one) deal better where units differ much.
//   - A machine that dies costs what its disk had, 1/1,000 of the work; on a shared disk, what was in flight.
//
// # How sure
//
// Random halves overlap, so the scores of splits are not independent, and an interval from their
// plain variance is too short. Intervals are those of the corrected resampled t-test of Nadeau and
// Bengio (see Difference).
//
// # What matters
//
// A weight is no importance. Importance is the drop in score, with its interval, when features are permuted on points
// left out or left out altogether; Partial is the mean prediction against one or two columns, LearningCurveOf the score
// against the number of points. Rank compares methods over several datasets, whose scores do not compare.
//
// # Classes
//
// Labels of two classes are −1 and +1, of K > 2 classes their numbers 0 … K−1 (data.Dataset). More than
// two are learned one against the rest or one against one, Method.Multiclass, with one θ for all
// columns: mkl minimises the sum of their J (loss.Columns), so that one matrix is factorised and one
// certificate holds. fold makes the columns, and model.TargetEncoding decides. Table.Confusion and ROC draw what
// came of it.
//
// Where a training part has points of one class alone, that class is decided on. WithClassWeights weighs
// classes; WithProbabilities has Learn's model give P(class | x), calibrated on points left out.
package compare
