/* shoal.h -- all of the library in one include.
 *
 *   api.h        version, what is exported
 *   ctx.h        context: errors, progress, cancellation, threads, seed
 *   table.h      tables of dictionary-coded columns, from arrays in memory
 *   csv.h        tables from and to delimited text
 *   arrow.h      tables from and to other programs, by Arrow's C streams
 *   division.h   tables in parts, on disk or on many machines, anonymized as one
 *   generate.h   synthetic tables
 *   hierarchy.h  generalization hierarchies
 *   spec.h       what a run is asked to do; the methods and requirements there are
 *   release.h    a release as an object: what is handed out, and who is in which class
 *   report.h     what a run found
 *   query.h      many questions to one release
 *   job.h        the runs: anonymize, verify, measure, refine, query, risk, frontier, inspect
 *   attack.h     a release attacked beside its original
 */
#ifndef SHOAL_H
#define SHOAL_H

#include "api.h"
#include "arrow.h"
#include "attack.h"
#include "csv.h"
#include "ctx.h"
#include "division.h"
#include "generate.h"
#include "hierarchy.h"
#include "job.h"
#include "query.h"
#include "release.h"
#include "report.h"
#include "spec.h"
#include "table.h"

#endif /* SHOAL_H */
