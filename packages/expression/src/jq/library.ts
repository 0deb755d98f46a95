import type { Definition } from './nodes.ts';
import { parseDefinitions } from './parser.ts';

/** Functions that jq itself can express; everything that must be fast or safe on large input is native. */
const source = `
def not: if . then false else true end;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type == "array" or type == "object");
def scalars: select(type != "array" and type != "object");
def normals: select(isnormal);
def finites: select((isinfinite or isnan) | not);
def select(f): if f then . else empty end;
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def recurse: recurse(.[]?);
def recurse(f; cond): recurse(f | select(cond));
def recurse_down: recurse;
def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];
def from_entries: reduce .[] as $x ({}; . + {
  ($x | if type == "object" then (if has("key") then .key elif has("k") then .k elif has("name") then .name elif has("Name") then .Name elif has("Key") then .Key elif has("K") then .K else null end) else . end
    | if type == "string" then . else tojson end):
  ($x | if type == "object" then (if has("value") then .value elif has("v") then .v elif has("Value") then .Value elif has("V") then .V else null end) else null end)});
def with_entries(f): to_entries | map(f) | from_entries;
def del(f): delpaths([path(f)]);
def paths: path(..) | select(length > 0);
def paths(node_filter): . as $dot | paths | select(. as $p | $dot | getpath($p) | node_filter);
def leaf_paths: paths(scalars);
def pick(f): . as $top | reduce path(f) as $p (null; setpath($p; $top | getpath($p)));
def add(f): reduce f as $x (null; . + $x);
def any: any(.);
def all: all(.);
def any(f): any(.[]; f);
def all(f): all(.[]; f);
def in(xs): . as $x | xs | has($x);
def inside(xs): . as $x | xs | contains($x);
def isvalid(f): try (f | true) catch false;
def join($sep): reduce .[] as $x (null; (if . == null then "" else . + $sep end) + ($x | if . == null then "" elif type == "boolean" or type == "number" then tojson else . end)) // "";
def ascii: [.] | implode;
def todate: todateiso8601;
def fromdate: fromdateiso8601;
def date: todate;
def dateadd(u; n): . + n;
def datesub(u; n): . - n;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def localtime: gmtime;
def strflocaltime(f): strftime(f);
def match($re): match($re; null);
def test($re): test($re; null);
def capture($re): capture($re; null);
def capture($re; $flags): match($re; $flags) | [.captures | .[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def scan($re): scan($re; null);
def scan($re; $flags): match($re; "g" + $flags) | if (.captures | length) > 0 then [.captures | .[] | .string] else .string end;
def splits($re): splits($re; null);
def splits($re; $flags): split($re; $flags) | .[];
def sub($re; str): sub($re; str; "");
def gsub($re; str): sub($re; str; "g");
def gsub($re; str; $flags): sub($re; str; $flags + "g");
def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def env: $ENV;
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("Out of bounds negative array index") else last(limit($n + 1; f)) end;
def isempty(f): label $out | (f | false, break $out), true;
def skip($n; f): if $n > 0 then foreach f as $x ($n + 1; . - 1; if . <= 0 then $x else empty end) else f end;
def transpose: if . == [] then [] else . as $in | (map(length) | max) as $max | [range(0; $max) as $j | [range(0; $in | length) as $i | $in[$i][$j]]] end;
def ltrimstr($x): if type == "string" and ($x | type) == "string" and startswith($x) then .[$x | length:] else . end;
def rtrimstr($x): if type == "string" and ($x | type) == "string" and endswith($x) and ($x | length) > 0 then .[:length - ($x | length)] else . end;
def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
def fromstream(f): {x: null, e: false} as $init
  | foreach f as $i ($init; if .e then $init else . end
      | if $i | length == 2
        then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
        else setpath(["e"]; $i[0] | length == 1) end;
      if .e then .x else empty end);
def truncate_stream(stream): . as $n | null | stream | . as $input | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;
def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);
def INDEX(f): INDEX(.[]; f);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def have_literal_numbers: true;
def have_decnum: false;
def halt: error("halt");
def input_line_number: 0;
def debug: .;
def debug(f): .;
def stderr: .;
def toarray: if type == "array" then . else [.] end;
def abs: if type == "number" and . < 0 then -. else . end;
def bsearch($target): . as $in | (map(. < $target) | map(select(.)) | length) as $at | if $in[$at] == $target and $at < ($in | length) then $at else -1 - $at end;
def flatten: flatten(1e9);
def range($n): range(0; $n; 1);
def range($from; $to): range($from; $to; 1);
def min_by(f): _extreme(f; -1);
def max_by(f): _extreme(f; 1);
def min: min_by(.);
def max: max_by(.);
def unique: unique_by(.);
def sort: sort_by(.);
def error(f): f | error;
`;

let library: Map<string, Definition> | null = null;

/** By name and number of parameters: `map/1`. Parsed on first use. */
export function readLibrary(): ReadonlyMap<string, Definition> {
  library ??= new Map(
    parseDefinitions(source).map((each) => [`${each.name}/${each.parameters.length}`, each]),
  );
  return library;
}
