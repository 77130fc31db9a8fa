const CODE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i
const LONGEST = 35

/**
 * A language as BCP 47 writes it, of what a file or a copy says: `pt-BR` for `pt_br`.
 *
 * @returns nothing for what names none.
 */
export function languageCode(said: unknown): string | undefined {
  if (typeof said !== 'string' || said.length > LONGEST) return undefined
  const known = canonical.get(said)
  if (known !== undefined) return known
  const code = said.trim().replaceAll('_', '-')
  if (!CODE.test(code)) return undefined
  try {
    const [found] = Intl.getCanonicalLocales(code)
    if (found !== undefined && canonical.size < MOST_KNOWN) canonical.set(said, found)
    return found
  } catch {
    return undefined
  }
}

/** By what was said: a list has a few languages, and asking for each of a million people takes seconds. */
const canonical = new Map<string, string>()
const MOST_KNOWN = 200

/**
 * The one of these that somebody is written to in: theirs, or a wider one, as RFC 4647 looks it up.
 *
 * @param code as `languageCode` gives it. @returns nothing where none of them is theirs.
 */
export function languageAmong(codes: readonly string[], code = ''): string | undefined {
  const tags = code.split('-')
  const wider = tags.map((_, i) => tags.slice(0, tags.length - i).join('-'))
  return wider.find((one) => codes.includes(one))
}

/** The one for somebody: theirs or a wider one, else the first. @param code as `languageCode` gives it. */
export function languageFor<T extends { readonly code: string }>(
  languages: readonly [T, ...T[]],
  code: string | undefined,
): T {
  const spoken = languageAmong(
    languages.map((one) => one.code),
    code,
  )
  return languages.find((one) => one.code === spoken) ?? languages[0]
}
