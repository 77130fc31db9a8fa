/** What makes the page yours; filled in `product.config.ts`, the one file an operator edits. */
export interface Product {
  /** Shown after the candlesticks, in the title and in every preview. */
  readonly name: string
  /** One sentence under the heading. */
  readonly pitch: string
  /** For search engines and link previews. */
  readonly description: string
  /** An SVG file in `brand/`; also the source of every icon. */
  readonly logo: string
  /** The example address in the empty field. */
  readonly emailPlaceholder: string
  /** Names the collection of subscribers, in both modes. Not Firebase's own `appId`. */
  readonly appId: string
}

/** The specification's coming-soon title of a product. */
export function pageTitle(product: Product): string {
  return `${product.name} — Coming Soon`
}

const limits = {
  name: 40,
  pitch: 160,
  description: 200,
  logo: 200,
  emailPlaceholder: 60,
  appId: 60,
}

/**
 * Checks a product configuration that came from outside the type system.
 *
 * @returns one sentence a mistake; none means that it is a `Product`.
 */
export function findProductMistakes(product: Readonly<Record<string, unknown>>): string[] {
  const mistakes: string[] = []
  for (const [field, limit] of Object.entries(limits)) {
    const value = product[field]
    if (typeof value !== 'string' || value.trim() === '') mistakes.push(`${field}: is missing`)
    else if (value !== value.trim()) mistakes.push(`${field}: starts or ends with a space`)
    else if (/\p{Cc}/u.test(value)) mistakes.push(`${field}: must be one line of plain text`)
    else if (value.length > limit)
      mistakes.push(`${field}: has ${value.length} characters, ${limit} fit`)
  }
  const { appId, logo } = product
  if (typeof appId === 'string' && !/^[A-Za-z0-9_-]+$/.test(appId))
    mistakes.push('appId: only letters, digits, "-" and "_" can stand in a collection path')
  if (typeof logo === 'string' && !/^brand\/[\w.-]+\.svg$/.test(logo))
    mistakes.push('logo: must be an .svg file in the folder brand')
  for (const field of Object.keys(product))
    if (!(field in limits)) mistakes.push(`${field}: is not a setting we know`)
  return mistakes
}
