# What is installed where, and the Debian package: 'cpack -G DEB' in the build folder.

set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(docs ${CMAKE_SOURCE_DIR}/cli/docs)

# -n leaves name and time out, so that equal sources give equal packages.
find_program(GZIP_PROGRAM gzip REQUIRED)
function(tracefold_gzip input output)
  add_custom_command(OUTPUT ${output} COMMAND ${GZIP_PROGRAM} -n9c ${input} > ${output} DEPENDS ${input} VERBATIM)
endfunction()
tracefold_gzip(${docs}/tracefold.1 ${CMAKE_BINARY_DIR}/tracefold.1.gz)
tracefold_gzip(${CMAKE_SOURCE_DIR}/CHANGELOG.md ${CMAKE_BINARY_DIR}/changelog.gz)
add_custom_target(tracefold_docs ALL DEPENDS ${CMAKE_BINARY_DIR}/tracefold.1.gz ${CMAKE_BINARY_DIR}/changelog.gz)

install(TARGETS tracefold RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${CMAKE_BINARY_DIR}/tracefold.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tracefold RENAME copyright)
install(FILES ${CMAKE_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tracefold)
install(FILES README.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tracefold OPTIONAL)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tracefold OPTIONAL)
install(DIRECTORY examples/jq DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tracefold/examples OPTIONAL)
install(FILES ${docs}/tracefold.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tracefold)
install(FILES ${docs}/_tracefold DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${docs}/tracefold.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(CPACK_PACKAGE_NAME tracefold)
set(CPACK_PACKAGE_VENDOR "The tracefold authors")
set(CPACK_PACKAGE_CONTACT "The tracefold authors <tracefold@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "makes large OTF2 traces small")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${CPACK_PACKAGE_CONTACT}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "tracefold finds processes of a parallel program that do the same work, keeps
one of each, and writes a valid OTF2 trace that says what was folded, for
Vampir, ViTE and other viewers of OTF2 traces.")
include(CPack)
