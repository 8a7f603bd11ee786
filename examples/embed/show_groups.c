/* What a viewer would do with libtracefold: asks which rows are alike, shows one of each group, and
 * writes a small trace of them.
 *
 *   show_groups TRACE.otf2 [FOLDER]
 *
 * Prints a line for each group: its number, how many locations it has, which of them stands for the
 * first one, and its name. With FOLDER it writes the small trace there.
 */
#include <tracefold.h>

#include <inttypes.h>
#include <stdio.h>

static tracefold_status show_group(const tracefold_trace* trace, size_t group) {
  size_t members = 0;
  uint64_t first = 0, shown = 0;
  const char* name = "";
  tracefold_status status = tracefold_count_members(trace, group, &members);
  if (status == TRACEFOLD_OK)
    status = tracefold_members(trace, group, &first, 1);
  if (status == TRACEFOLD_OK)
    status = tracefold_representative_of(trace, first, &shown);
  if (status == TRACEFOLD_OK)
    status = tracefold_group_name(trace, group, &name);
  if (status == TRACEFOLD_OK)
    printf("%zu,%zu,%" PRIu64 ",%s\n", group, members, shown, name);
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
