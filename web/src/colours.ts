// Colours of maps: viridis, which the colour-blind can read, linear over what the cells hold; or
// equalised, so that each colour is used as often, which also shows what is hardly there.
//
// Source: Smith, van der Walt (bibliography, colours); their table is in the public domain (CC0).

const viridis =
  "44015446075a470d6047136548186a481d6f482374482878472d7b46327e453781433d84" +
  "4241864046883e4a893c4f8a3a538b38588c365c8d34608d32648e31688e2f6c8e2d708e" +
  "2c738e2a778e297b8e277f8e26828e24868e238a8d218e8d20928c1f968b1f9a8a1f9e89" +
  "1fa18721a58523a98326ad812ab07f2fb47c35b7793bbb7542be714ac16d52c5695ac864" +
  "63cb5f6ccd5a75d0547fd34e89d54895d840a0da39aadc32b5de2bc0df25cae11fd5e21a" +
  "dfe318eae51af4e61efde725";

const steps = 64;

// Red, green, blue, alpha as a canvas holds them, on machines of little endian.
const packed = Uint32Array.from({ length: steps }, (_, step) => {
  const rgb = parseInt(viridis.slice(6 * step, 6 * step + 6), 16);
  return (0xff000000 | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
});

export interface ColourScale {
  equalised: boolean;
  low: number;
  high: number;
  // Packed colours; what has no value is transparent.
  colour(value: number): number;
  // The value that stands at a share of the legend.
  valueAt(share: number): number;
}

export function makeLinear(low: number, high: number): ColourScale {
  const factor = high > low ? (steps - 1) / (high - low) : 0;
  return {
    equalised: false,
    low,
    high,
    colour: (value) => pick((value - low) * factor),
    valueAt: (share) => low + share * (high - low),
  };
}

// Values between two steps are equally many where that is possible: values that are equal have one
// colour. `values` ascend; each occurs `counts` times.
export function makeEqualised(values: ArrayLike<number>, counts?: ArrayLike<number>): ColourScale {
  let all = 0;
  const ends = Float64Array.from({ length: values.length }, (_, k) => (all += counts?.[k] ?? 1));
  if (all === 0) return makeLinear(0, 0);
  const valueAt = (share: number) => values[countBelow(ends, share * (all - 1) + 0.5)];
  const bounds = Float64Array.from({ length: steps - 1 }, (_, step) => valueAt((step + 1) / steps));
  return {
    equalised: true,
    low: valueAt(0),
    high: valueAt(1),
    colour: (value) => (Number.isNaN(value) ? 0 : packed[countBelow(bounds, value)]),
    valueAt,
  };
}

export function cssColour(share: number): string {
  const step = Math.round(share * (steps - 1));
  return "#" + viridis.slice(6 * step, 6 * step + 6);
}

function pick(step: number): number {
  if (Number.isNaN(step)) return 0;
  return packed[Math.max(0, Math.min(steps - 1, Math.round(step)))];
}

// How many of the ascending bounds are less than the value.
function countBelow(bounds: Float64Array, value: number): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bounds[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
