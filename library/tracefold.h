/* tracefold as a C library: opens a trace in the OTF2 format, groups processes that do the same
 * work, says who represents whom, and writes a small trace that stands for it.
 *
 *   tracefold_trace* trace;
 *   if (tracefold_open("app/traces.otf2", &trace) != TRACEFOLD_OK)
 *     fprintf(stderr, "%s\n", tracefold_last_error());
 *   tracefold_group(trace, 1.0);
 *   uint64_t shown;
 *   tracefold_representative_of(trace, location, &shown);
 *   tracefold_reduce(trace, "small");
 *   tracefold_close(trace);
 *
 * Nothing is printed, and no exception leaves the library. Each function that may fail returns a
 * status; tracefold_last_error() then says in one line what is wrong. One trace may be used by one
 * thread at a time, different traces by different threads. The library itself takes as many
 * threads as oneTBB has.
 */
#ifndef TRACEFOLD_H
#define TRACEFOLD_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TRACEFOLD_API __attribute__((visibility("default")))
#else
#define TRACEFOLD_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The first four are the exit statuses of the program as well. */
typedef enum tracefold_status {
  TRACEFOLD_OK = 0,
  TRACEFOLD_USAGE = 2,       /* the call is wrong, as a location that the trace does not have */
  TRACEFOLD_INPUT = 3,       /* the trace cannot be read */
  TRACEFOLD_OUTPUT = 4,      /* the small trace cannot be written */
  TRACEFOLD_INTERNAL = 70    /* an error of the library, or no memory */
} tracefold_status;

typedef struct tracefold_trace tracefold_trace;

/* As "0.1.0". */
TRACEFOLD_API const char* tracefold_version(void);

/* What was wrong in the last call of this thread that failed; "" before. Valid until the next call
 * that fails. */
TRACEFOLD_API const char* tracefold_last_error(void);

/* Opens the trace with this anchor file and reads its definitions. NULL is put into `trace` where
 * that fails. */
TRACEFOLD_API tracefold_status tracefold_open(const char* anchor, tracefold_trace** trace);
/* Does nothing with NULL. */
TRACEFOLD_API void tracefold_close(tracefold_trace* trace);

/* Groups the processes by the calls they make. At a threshold of 1 only processes with equal pairs
 * of caller and callee are one group; below, groups of at least this similarity are merged (0 to 1,
 * Jaccard). It reads the events at the first call; another call replaces the groups. There are none
 * where it fails, but for a wrong threshold. */
TRACEFOLD_API tracefold_status tracefold_group(tracefold_trace* trace, double threshold);

/* Below, groups are numbered from 0. Before tracefold_group() there are none, and the status is
 * TRACEFOLD_USAGE. */
TRACEFOLD_API tracefold_status tracefold_count_groups(const tracefold_trace* trace, size_t* count);
TRACEFOLD_API tracefold_status tracefold_count_members(const tracefold_trace* trace, size_t group,
                                                       size_t* count);
/* The locations of a group, ascending: puts at most `most` of them into `locations`. */
TRACEFOLD_API tracefold_status tracefold_members(const tracefold_trace* trace, size_t group,
                                                 uint64_t* locations, size_t most);
/* What sets the group apart, in words, as "inside of the grid". Valid until the trace is grouped
 * again or closed. */
TRACEFOLD_API tracefold_status tracefold_group_name(const tracefold_trace* trace, size_t group,
                                                    const char** name);
/* The group of a location, and the location that represents it: the medoid of its group by the
 * time in each function. One that computes far more or less than its group represents itself. */
TRACEFOLD_API tracefold_status tracefold_group_of(const tracefold_trace* trace, uint64_t location,
                                                  size_t* group);
TRACEFOLD_API tracefold_status tracefold_representative_of(const tracefold_trace* trace,
                                                           uint64_t location,
                                                           uint64_t* representative);

/* Writes a small trace into a folder that is not there yet, as the command `tracefold reduce` does
 * without options, but with the threshold of the last tracefold_group(), else 1. */
TRACEFOLD_API tracefold_status tracefold_reduce(tracefold_trace* trace, const char* folder);

#ifdef __cplusplus
}
#endif

#endif
