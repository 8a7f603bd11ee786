# fish completion of tracefold

function __tracefold_in
    __fish_seen_subcommand_from $argv
end

set -l commands reduce filter group select write similarity lattice pairs profile iterations info verify

complete -c tracefold -f
complete -c tracefold -n "not __tracefold_in $commands" -a reduce -d 'Keep one of each kind of process, write a small trace'
complete -c tracefold -n "not __tracefold_in $commands" -a filter -d 'Say which functions and processes count'
complete -c tracefold -n "not __tracefold_in $commands" -a group -d 'Find processes that do the same work'
complete -c tracefold -n "not __tracefold_in $commands" -a select -d 'Choose a representative of each group'
complete -c tracefold -n "not __tracefold_in $commands" -a write -d 'Write the trace that a plan describes'
complete -c tracefold -n "not __tracefold_in $commands" -a similarity -d 'Print how alike groups of processes are'
complete -c tracefold -n "not __tracefold_in $commands" -a lattice -d 'Draw who does the work of whom'
complete -c tracefold -n "not __tracefold_in $commands" -a pairs -d 'Name the two processes of each group that are the least alike'
complete -c tracefold -n "not __tracefold_in $commands" -a profile -d 'Show how times are spread over the processes of each group'
complete -c tracefold -n "not __tracefold_in $commands" -a iterations -d 'Find the iterations of the main loops'
complete -c tracefold -n "not __tracefold_in $commands" -a info -d 'Tell what a trace holds'
complete -c tracefold -n "not __tracefold_in $commands" -a verify -d 'Check a reduced trace against its original'

complete -c tracefold -s h -l help -d 'Print help'
complete -c tracefold -n "not __tracefold_in $commands" -l version -d 'Print the version'

complete -c tracefold -n "__tracefold_in $commands" -k -a '(__fish_complete_suffix .otf2)'
complete -c tracefold -n "__tracefold_in $commands" -l threads -x -d 'Threads to use'
complete -c tracefold -n "__tracefold_in $commands" -l memory -x -d 'Memory to do with'
complete -c tracefold -n "__tracefold_in $commands" -s q -l quiet -d 'Print no notes and no warnings'
complete -c tracefold -n "__tracefold_in $commands" -s v -l verbose -d 'Say what each stage did and took'
complete -c tracefold -n "__tracefold_in $commands" -l partial -d 'Use what damaged event files hold'
complete -c tracefold -n "__tracefold_in $commands" -l reader -x -a 'own otf2' -d 'Who reads the events'

complete -c tracefold -n '__tracefold_in reduce write' -s o -l output -x -a '(__fish_complete_directories)' -d 'Folder to make'
complete -c tracefold -n '__tracefold_in reduce write lattice' -l force -d 'Replace an existing output'
complete -c tracefold -n '__tracefold_in reduce write' -l iterations -x -a 'off 16 32 64 128' -d 'Keep so many clusters of iterations'
complete -c tracefold -n '__tracefold_in reduce write' -l keep-ids -d 'Leave location ids as they were'
complete -c tracefold -n '__tracefold_in reduce write' -l plain-names -d 'Do not put counts into names'

complete -c tracefold -n '__tracefold_in reduce group pairs profile' -l threshold -x -d 'Merge groups of at least this similarity'
complete -c tracefold -n '__tracefold_in reduce group pairs profile' -l exact -d 'Only equal processes are one group'
complete -c tracefold -n '__tracefold_in reduce group similarity lattice pairs profile' -l by -x -a 'pairs functions' -d 'What to compare'
complete -c tracefold -n '__tracefold_in reduce group similarity lattice pairs profile' -l ignore -x -d 'Compare without functions that match'
complete -c tracefold -n '__tracefold_in reduce group similarity lattice pairs profile' -l ignore-root -d 'Compare without artificial roots'
complete -c tracefold -n '__tracefold_in reduce group similarity lattice pairs profile' -l combine -x -d 'Compare matching processes of a rank as one'
complete -c tracefold -n '__tracefold_in reduce select' -l representative -x -a 'first medoid slowest' -d 'Whom to keep'
complete -c tracefold -n '__tracefold_in select' -l by -x -a 'first medoid slowest' -d 'Whom to keep'
complete -c tracefold -n '__tracefold_in reduce select' -l per-group -x -a 'auto 2 4 8' -d 'Clusters by time per group, one kept of each'
complete -c tracefold -n '__tracefold_in reduce select' -l keep-extremes -d 'Keep the fastest and slowest of each group, too'
complete -c tracefold -n '__tracefold_in reduce select' -l always -x -d 'Keep these location ids, too'

complete -c tracefold -n '__tracefold_in similarity' -l subsumption -d 'How much of the work of the column the row does'
complete -c tracefold -n '__tracefold_in reduce filter group select similarity pairs profile iterations info verify' -l format -x -a 'table csv json' -d 'How to print'
complete -c tracefold -n '__tracefold_in lattice' -s o -l output -r -d 'File to make'
complete -c tracefold -n '__tracefold_in lattice' -l full -d 'The whole concept lattice'
complete -c tracefold -n '__tracefold_in lattice' -l max-nodes -x -d 'Of the whole lattice'
complete -c tracefold -n '__tracefold_in lattice' -l on-limit -x -a 'poset functions fail' -d 'What is drawn then'

complete -c tracefold -n '__tracefold_in profile' -l sort -x -a 'variation exclusive inclusive visits name' -d 'Largest first'
complete -c tracefold -n '__tracefold_in profile' -l top -x -d 'Rows of a group to show'
complete -c tracefold -n '__tracefold_in profile' -l group -x -d 'Only the group of this number'
complete -c tracefold -n '__tracefold_in profile' -l function -x -d 'Show who calls these functions and whom they call'
complete -c tracefold -n '__tracefold_in profile' -l call-paths -d 'Show the call tree'

complete -c tracefold -n '__tracefold_in reduce write iterations' -l region -x -d 'Take the instances of these regions'
complete -c tracefold -n '__tracefold_in iterations' -l clusters -x -d 'Clusters of iterations to make'
complete -c tracefold -n '__tracefold_in reduce write' -l verify -x -a 'auto on off' -d 'Read what was written again'
complete -c tracefold -n '__tracefold_in iterations' -l map -x -d 'Show a metric by iteration and process'
complete -c tracefold -n '__tracefold_in iterations' -l call-path -x -d 'Of these call paths only'
complete -c tracefold -n '__tracefold_in iterations' -l loop -x -d 'Of this loop'
complete -c tracefold -n '__tracefold_in iterations' -l view -x -a 'iterations processes map' -d 'What CSV holds'
complete -c tracefold -n '__tracefold_in iterations' -l bins -x -d 'Most rows and columns of the map'
complete -c tracefold -n '__tracefold_in iterations' -l loops -d 'Show the loops that are found, choose nothing'
complete -c tracefold -n '__tracefold_in iterations' -l sweep -x -d 'Compare numbers of clusters'

complete -c tracefold -n '__tracefold_in filter' -l drop -x -d 'Drop calls of functions that match'
complete -c tracefold -n '__tracefold_in filter' -l keep -x -d 'Keep only calls of functions that match'
complete -c tracefold -n '__tracefold_in filter' -l locations -x -d 'Keep only these location ids'
complete -c tracefold -n '__tracefold_in reduce filter group select similarity pairs profile iterations info verify' -l json -d 'Short for --format json'

complete -c tracefold -n '__tracefold_in verify' -l against -r -k -a '(__fish_complete_suffix .otf2)' -d 'Anchor file of the original'
