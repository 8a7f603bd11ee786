# Tests of the whole program; each script says at its top what it is about.
function(tracefold_cli_test name script timeout)
  add_test(NAME cli.${name} COMMAND bash ${CMAKE_SOURCE_DIR}/tests/cli/${script} $<TARGET_FILE:tracefold> ${ARGN})
  set_tests_properties(cli.${name} PROPERTIES TIMEOUT ${timeout} SKIP_RETURN_CODE 77 LABELS cli)
endfunction()

foreach(name bad_input odd_plans signals chain judge_all handles hostile_names odd_archives plan_beside profile aggregates
        iterations correlate waits sampled counters odd_programs)
  set(timeout 300)
  if(name STREQUAL "judge_all" OR name STREQUAL "signals")
    set(timeout 600)
  endif()
  tracefold_cli_test(${name} ${name}.sh ${timeout} $<TARGET_FILE:make_trace>)
endforeach()
tracefold_cli_test(faults faults.sh 300 $<TARGET_FILE:make_trace> $<TARGET_FILE:fault_injection>)
tracefold_cli_test(docs_agree docs_agree.sh 60 ${CMAKE_SOURCE_DIR}/cli/docs)
tracefold_cli_test(readers readers.sh 300 $<TARGET_FILE:make_trace> $<TARGET_FILE:compare_readers>)
tracefold_cli_test(signatures signatures.sh 300 $<TARGET_FILE:make_trace>)
tracefold_cli_test(map_drawing map_drawing.sh 300 $<TARGET_FILE:make_trace>)
tracefold_cli_test(matrix matrix.sh 300 $<TARGET_FILE:make_trace>)
tracefold_cli_test(expand expand.sh 300 $<TARGET_FILE:make_trace> $<TARGET_FILE:replay>)
tracefold_cli_test(expand_records expand_records.sh 300 $<TARGET_FILE:make_trace>)
tracefold_cli_test(messages_limit messages_limit.sh 300 $<TARGET_FILE:make_trace>
                   $<TARGET_FILE:make_random_messages>)
tracefold_cli_test(messages messages.sh 300 $<TARGET_FILE:make_trace> $<TARGET_FILE:check_messages>)
tracefold_cli_test(series series.sh 300 $<TARGET_FILE:make_trace> $<TARGET_FILE:check_series>)

# Legal archives of what rarely meets in one, made by libotf2 itself. Many more seeds by hand.
add_test(NAME cli.legal_traces
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/legal_traces/check_legal_traces.py
                 --build ${CMAKE_BINARY_DIR} --first 1 --seeds 8)
set_tests_properties(cli.legal_traces PROPERTIES TIMEOUT 300 LABELS cli)

add_test(NAME cli.loop_counts
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/cli/loop_counts.py $<TARGET_FILE:tracefold>)
set_tests_properties(cli.loop_counts PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 LABELS cli)

# Commands and what they print, a theme a file.
foreach(theme usage traces plans filtering grouping selecting similarity pairs lattice profile iterations maps correlating reducing expanding scripts summaries)
  add_test(NAME cli.transcript.${theme}
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/cli/transcripts.py $<TARGET_FILE:tracefold> $<TARGET_FILE:make_trace>
                   ${CMAKE_SOURCE_DIR}/tests/cli/transcripts/${theme}.txt)
  set_tests_properties(cli.transcript.${theme} PROPERTIES TIMEOUT 120 LABELS cli)
endforeach()
