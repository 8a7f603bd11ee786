# A folder that runs from anywhere on Debian 12 and newer with nothing installed: 'cpack -G TGZ' in the build folder makes
# tracefold-VERSION-linux-ARCHITECTURE.tar.gz. All libraries but glibc's lie beside the program.

set(portable COMPONENT portable EXCLUDE_FROM_ALL)
# The program once more, with an RPATH, which no Debian package is to have. Other than a RUNPATH it holds for libraries of
# libraries, too, and LD_LIBRARY_PATH, which modules of clusters set, does not go before it.
add_executable(tracefold_portable cli/main.cpp)
target_link_libraries(tracefold_portable PRIVATE tracefold_flags tracefold_cli)
target_link_options(tracefold_portable PRIVATE LINKER:--disable-new-dtags)
set_target_properties(tracefold_portable PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/portable
                      BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib")
install(TARGETS tracefold_portable
        RUNTIME_DEPENDENCIES PRE_EXCLUDE_REGEXES "^ld[-.6]" "^lib(c|m|mvec|dl|rt|pthread)[.]so"
        RUNTIME DESTINATION bin ${portable} LIBRARY DESTINATION lib ${portable})
# With the name of the program in the build folder, too, Ninja would take one for the other.
set(folder "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin")
install(CODE "file(RENAME \"${folder}/tracefold_portable\" \"${folder}/tracefold\")" ${portable})
# TBB opens it when it starts.
install(IMPORTED_RUNTIME_ARTIFACTS TBB::tbbmalloc LIBRARY DESTINATION lib ${portable})
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE DESTINATION . ${portable})
install(DIRECTORY docs examples DESTINATION . ${portable})
install(FILES ${docs}/tracefold.1 DESTINATION share/man/man1 ${portable})
install(FILES ${docs}/tracefold.bash DESTINATION share/bash-completion/completions RENAME tracefold ${portable})
install(FILES ${docs}/_tracefold DESTINATION share/zsh/site-functions ${portable})
install(FILES ${docs}/tracefold.fish DESTINATION share/fish/vendor_completions.d ${portable})
install(CODE "set(architecture [[${CMAKE_LIBRARY_ARCHITECTURE}]])" ${portable})
install(SCRIPT cmake/copy_licences.cmake ${portable})

# What only 'cpack -G TGZ' sets.
file(WRITE ${CMAKE_BINARY_DIR}/cpack_tgz.cmake [[
if(CPACK_GENERATOR STREQUAL "TGZ")
  string(REPLACE ";ALL;" ";portable;" CPACK_INSTALL_CMAKE_PROJECTS "${CPACK_INSTALL_CMAKE_PROJECTS}")
  set(CPACK_MONOLITHIC_INSTALL ON)
  set(CPACK_PACKAGING_INSTALL_PREFIX "")
endif()
]])
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_BINARY_DIR}/cpack_tgz.cmake)
set(CPACK_PACKAGE_FILE_NAME tracefold-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
