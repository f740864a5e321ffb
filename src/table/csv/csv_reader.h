/* csv_reader.h -- the state of reading one CSV text, shared by the files that do it.
 *
 *     csv_read.c     opens, reads batches, hands blocks to workers
 *     csv_header.c   delimiter and column names
 *     csv_finish.c   final dictionaries and codes
 *     csv_locate.c   where a value stands that is not of its column's type
 *     csv_spooled.c  runs on disk, and what becomes of them instead of codes in memory
 */
#ifndef SHOAL_I_CSV_READER_H
#define SHOAL_I_CSV_READER_H

#include "../../base/spool.h"
#include "csv_block.h"
#include "csv_spooled.h"
#include "csv_stream.h"

typedef struct shoal_i_csv_reader {
    shoal_csv_options options; /* with defaults filled in */
    const char *source;        /* name, for messages */
    const shoal_i_csv_stream *stream;
    const shoal_i_csv_scanner *scanner;
    char delimiter;
    shoal_table *table; /* as it grows: names first, values and codes last */
    size_t column_count;
    shoal_csv_column *columns; /* how each is read */
    shoal_i_csv_worker *workers;
    size_t worker_count;
    shoal_i_csv_run *runs; /* in the order of the text */
    size_t run_count;
    size_t run_capacity;
    size_t row_count;                     /* of the runs that are complete */
    int64_t skipped_lines;                /* before the header */
    int64_t header_lines;                 /* lines up to the end of the header */
    int64_t line_count;                   /* lines read, header included */
    const shoal_i_csv_spooling *spooling; /* NULL: runs and codes stay in memory */
    shoal_i_spool *spool;                 /* of the runs */
} shoal_i_csv_reader;

/* How the text is cut up and scanned, and where the codes go; the values do not depend on it.
 * Tests use tiny blocks to meet every boundary. */
typedef struct shoal_i_csv_tuning {
    size_t block_size; /* bytes of a raw block; 0: the default */
    size_t record_max; /* bytes of the longest record; 0: the default */
    shoal_i_csv_kind kind;
    const shoal_i_csv_spooling *spooling; /* NULL: none */
} shoal_i_csv_tuning;

/* shoal_csv_read_memory with the tuning of the caller. */
shoal_status shoal_i_csv_read_tuned(shoal_ctx *ctx, shoal_table **out, const char *bytes,
                                    size_t size, const char *source,
                                    const shoal_csv_options *options,
                                    const shoal_i_csv_tuning *tuning);

/* The delimiter asked for, else the one that a header, or what is there of it, speaks for. */
char shoal_i_csv_header_delimiter(const shoal_i_csv_reader *reader, const char *bytes,
                                  size_t size);

/* Read the header, whole and with its newline: detect the delimiter, make
 * reader->table with the names, ask the caller how to read the columns. */
shoal_status shoal_i_csv_header_read(shoal_ctx *ctx, shoal_i_csv_reader *reader,
                                     const char *bytes, size_t size);

/* Spooled reading: put the runs from `first` on on disk; bring one back,
 * and away again; hand the rows of all to
 * the consumer, map by map (maps[worker * column_count + column][index] is the final code). */
shoal_status shoal_i_csv_spool_runs(shoal_ctx *ctx, shoal_i_csv_reader *reader, size_t first);
shoal_status shoal_i_csv_spool_load(shoal_ctx *ctx, shoal_i_csv_reader *reader,
                                    shoal_i_csv_run *run);
void shoal_i_csv_spool_unload(shoal_i_csv_run *run);
shoal_status shoal_i_csv_spool_consume(shoal_ctx *ctx, shoal_i_csv_reader *reader,
                                       uint32_t **maps);

/* Turn runs into the finished columns of reader->table. */
shoal_status shoal_i_csv_finish(shoal_ctx *ctx, shoal_i_csv_reader *reader);

#endif /* SHOAL_I_CSV_READER_H */
