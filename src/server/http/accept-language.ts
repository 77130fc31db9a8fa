/** Size of the cache. Browsers send the same few headers; other values must not fill the memory. */
const KNOWN = 200
/** A longer header is ignored, in characters: browsers send up to some hundred. */
const LONGEST = 500
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/
const RANGE = /^[a-z]{1,8}(?:-[a-z\d]{1,8}){0,7}$/

/**
 * Chooses a language by the header `Accept-Language`, by the lookup of RFC 4647 (3.4): `de-CH` finds
 * `de`. Beyond that, `pt` and `pt-PT` find `pt-BR` where no nearer one is offered.
 *
 * @param codes the languages that are offered. The first is chosen where none is asked for.
 */
export function languageChooser(codes: readonly string[]): (header: string | undefined) => number {
  const places = new Map<string, number>()
  // A shorter name belongs to the language that has it, else to the first that begins with it.
  for (const [place, code] of codes.entries()) places.set(code.toLowerCase(), place)
  for (const [place, code] of codes.entries())
    for (const shorter of shorterAndShorter(code.toLowerCase()))
      if (!places.has(shorter)) places.set(shorter, place)

  const choose = (header: string) => {
    for (const range of rangesIn(header))
      for (const name of shorterAndShorter(range)) {
        const place = places.get(name)
        if (place !== undefined) return place
      }
    return 0
  }

  const known = new Map<string, number>()
  return (header = '') => {
    const found = header.length > LONGEST ? 0 : known.get(header)
    if (found !== undefined) return found
    const place = choose(header)
    if (known.size < KNOWN) known.set(header, place)
    return place
  }
}

/** The languages that somebody asks for, the most wanted first. What is no range or weight is left out. */
function rangesIn(header: string): string[] {
  const ranges = header
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [range = '', parameter = 'q=1', ...others] = part.split(';').map((text) => text.trim())
      const weight = Number(WEIGHT.exec(parameter)?.[1] ?? 0)
      return weight > 0 && others.length === 0 && RANGE.test(range) ? [{ range, weight }] : []
    })
  // Sorting keeps the order of the header where the weights are the same.
  return ranges.toSorted((a, b) => b.weight - a.weight).map(({ range }) => range)
}

/** A name, and what is left of it without its last part, and so on; no end is a single letter. */
function shorterAndShorter(name: string): string[] {
  const parts = name.split('-')
  return parts
    .map((_, left) => parts.slice(0, parts.length - left))
    .filter((some) => some.length === 1 || (some.at(-1)?.length ?? 0) > 1)
    .map((some) => some.join('-'))
}
