# Functions for jq that read what plans of tracefold hold: jq -L examples/jq 'include "tracefold"; ...'

# The numbers of a set as plans write it: "0-6:2,9" | ids is [0,2,4,6,9].
def ids:
  [split(",")[] | capture("^(?<first>[0-9]+)(-(?<last>[0-9]+)(:(?<step>[0-9]+))?)?$")
   | range(.first | tonumber; (.last // .first | tonumber) + 1; .step // "1" | tonumber)];

# The numbers of a list as plans write it: "3 1*3 7" | numbers is [3,1,1,1,7].
def numbers:
  [split(" ")[] | split("*") | range(.[1] // "1" | tonumber) as $k | .[0] | tonumber];

# Ranks by id of a location, of a plan with profiles.
def ranks: .profiles | map(select(.rank) | {(.id): .rank}) | add;

# The call pairs of an intent of a plan, in words: "main > MPI_Init".
def call_pairs($intent):
  .functions as $functions | .intents[$intent].pairs as $pairs
  | [range(0; $pairs | length; 2)
     | (if $pairs[.] < 0 then "" else $functions[$pairs[.]].name end) + " > " + $functions[$pairs[. + 1]].name];

# Fewer digits: 0.12345 | digits(3) is 0.123.
def digits($n): . * pow(10; $n) | round / pow(10; $n);
