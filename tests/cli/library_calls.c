/* Calls libtracefold wrongly, and checks that it says so; then from several threads. Prints what is
 * not as it should be. */
#include <tracefold.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

static void check(int holds, const char* words) {
  if (holds)
    return;
  printf("%s (last error: %s)\n", words, tracefold_last_error());
  ++failures;
}

/* Opens and groups the trace some times. What it found: how many groups, or 0 on an error. */
static void* group_often(void* anchor) {
  size_t found = 0;
  for (int k = 0; k < 5; ++k) {
    tracefold_trace* trace = NULL;
    size_t number = 0;
    const int is_grouped = tracefold_open(anchor, &trace) == TRACEFOLD_OK &&
                           tracefold_group(trace, 1) == TRACEFOLD_OK &&
                           tracefold_count_groups(trace, &number) == TRACEFOLD_OK;
    tracefold_close(trace);
    if (!is_grouped || (found != 0 && number != found))
      return NULL;
    found = number;
  }

  const int knows_other_errors = strcmp(tracefold_last_error(), "") != 0;
  return knows_other_errors ? NULL : (void*)found;
}

static void check_threads(char* anchor, size_t groups) {
  enum { threads = 4 };
  pthread_t started[threads];
  for (int k = 0; k < threads; ++k)
    check(pthread_create(&started[k], NULL, group_often, anchor) == 0, "no thread");
  for (int k = 0; k < threads; ++k) {
    void* found = NULL;
    check(pthread_join(started[k], &found) == 0 && (size_t)found == groups, "wrong in a thread");
  }
}

int main(int count, char** words) {
  (void)count;
  tracefold_trace* trace = NULL;
  size_t number = 0;
  uint64_t location = 0;
  const char* name = NULL;

  check(strlen(tracefold_version()) > 0, "no version");
  check(strcmp(tracefold_last_error(), "") == 0, "an error before any call");
  check(tracefold_open(NULL, &trace) == TRACEFOLD_USAGE, "no anchor is accepted");
  check(tracefold_open(words[1], NULL) == TRACEFOLD_USAGE, "no place for the trace is accepted");
  check(tracefold_group(NULL, 1) == TRACEFOLD_USAGE, "no trace is accepted");
  check(tracefold_open(words[1], &trace) == TRACEFOLD_OK && trace, "the trace does not open");
  check(tracefold_count_groups(trace, &number) == TRACEFOLD_USAGE, "groups before grouping");
  check(tracefold_group(trace, 1.5) == TRACEFOLD_USAGE, "a threshold of 1.5 is accepted");
  check(tracefold_group(trace, 0) == TRACEFOLD_OK, "it does not group");
  check(tracefold_count_groups(trace, &number) == TRACEFOLD_OK && number == 1,
        "not one group at 0");
  check(tracefold_group(trace, 1) == TRACEFOLD_OK, "it does not group again");
  check(tracefold_count_groups(trace, &number) == TRACEFOLD_OK && number > 1, "one group at 1");
  check(tracefold_group(trace, -1) == TRACEFOLD_USAGE, "a threshold of -1 is accepted");
  check(tracefold_group_name(trace, 1, &name) == TRACEFOLD_OK && strlen(name) > 0,
        "the groups are lost by a wrong threshold");
  check(tracefold_group_name(trace, number, &name) == TRACEFOLD_USAGE, "a group too many");
  check(tracefold_members(trace, 0, NULL, 1) == TRACEFOLD_USAGE, "no place for members");
  check(tracefold_group_of(trace, 123456789, &number) == TRACEFOLD_USAGE, "a location too many");
  check(strstr(tracefold_last_error(), "123456789") != NULL, "the location is not named");
  check(tracefold_members(trace, 0, &location, 1) == TRACEFOLD_OK, "no members");
  check(tracefold_group_of(trace, location, &number) == TRACEFOLD_OK && number == 0, "its group");

  check(tracefold_count_groups(trace, &number) == TRACEFOLD_OK, "no groups for the threads");
  check_threads(words[1], number);
  tracefold_close(trace);
  tracefold_close(NULL);
  return failures != 0;
}
