# Tests of the whole program; each script says at its top what it is about.
function(tracefold_cli_test name script timeout)
  add_test(NAME cli.${name} COMMAND bash ${CMAKE_SOURCE_DIR}/tests/cli/${script} $<TARGET_FILE:tracefold> ${ARGN})
  set_tests_properties(cli.${name} PROPERTIES TIMEOUT ${timeout} SKIP_RETURN_CODE 77 LABELS cli)
endfunction()

foreach(name cases bad_input signals chain judge_all handles)
  set(timeout 120)
  if(name STREQUAL "judge_all")
    set(timeout 600)
  endif()
  tracefold_cli_test(${name} ${name}.sh ${timeout} $<TARGET_FILE:make_trace>)
endforeach()
tracefold_cli_test(docs_agree docs_agree.sh 60 ${CMAKE_SOURCE_DIR}/cli/docs)
