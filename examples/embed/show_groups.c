/* What a viewer would do with libtracefold: asks which rows are alike, shows one of each group (and
 * those that compute far more or less than their group), and writes a small trace of them.
 *
 *   show_groups TRACE.otf2 [FOLDER]
 *
 * Prints a line for each group: its number, how many locations it has, which of them are shown, and
 * its name. With FOLDER it writes the small trace there.
 */
#include <tracefold.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The members that are shown: those that stand for themselves. */
static tracefold_status show_rows(const tracefold_trace* trace, const uint64_t* members,
                                  size_t count) {
  const char* between = "";
  tracefold_status status = TRACEFOLD_OK;
  for (size_t k = 0; k < count && status == TRACEFOLD_OK; ++k) {
    uint64_t shown = 0;
    status = tracefold_representative_of(trace, members[k], &shown);
    if (status == TRACEFOLD_OK && shown == members[k]) {
      printf("%s%" PRIu64, between, shown);
      between = " ";
    }
  }
  return status;
}

static tracefold_status show_group(const tracefold_trace* trace, size_t group) {
  size_t count = 0;
  const char* name = "";
  tracefold_status status = tracefold_count_members(trace, group, &count);
  uint64_t* members = malloc(count * sizeof *members);
  if (status == TRACEFOLD_OK)
    status = members ? tracefold_members(trace, group, members, count) : TRACEFOLD_INTERNAL;
  if (status == TRACEFOLD_OK)
    status = tracefold_group_name(trace, group, &name);
  if (status == TRACEFOLD_OK) {
    printf("%zu,%zu,", group, count);
    status = show_rows(trace, members, count);
    printf(",%s\n", name);
  }
  free(members);
  return status;
}

static tracefold_status show(tracefold_trace* trace, const char* folder) {
  size_t groups = 0;
  tracefold_status status = tracefold_group(trace, 1.0);
  if (status == TRACEFOLD_OK)
    status = tracefold_count_groups(trace, &groups);
  for (size_t group = 0; group < groups && status == TRACEFOLD_OK; ++group)
    status = show_group(trace, group);
  if (status == TRACEFOLD_OK && folder)
    status = tracefold_reduce(trace, folder);
  return status;
}

int main(int count, char** words) {
  if (count < 2 || count > 3) {
    fprintf(stderr, "usage: show_groups TRACE.otf2 [FOLDER]\n");
    return TRACEFOLD_USAGE;
  }

  tracefold_trace* trace = NULL;
  tracefold_status status = tracefold_open(words[1], &trace);
  if (status == TRACEFOLD_OK)
    status = show(trace, count > 2 ? words[2] : NULL);
  if (status != TRACEFOLD_OK)
    fprintf(stderr, "show_groups: %s\n", tracefold_last_error());
  tracefold_close(trace);
  return (int)status;
}
