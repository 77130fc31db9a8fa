/** The ground of the page; all its other colours follow from that and from the accent. */
export interface Look {
  /** One for everybody, as `#rrggbb`. Black, if neither this nor the two others are given. */
  readonly ground?: string
  /** Or one for each, as visitors have set their machine. Both are needed. */
  readonly light?: string
  readonly dark?: string
  /** Fills the main button with the accent. */
  readonly button?: 'accent'
  /** Sets the page in Newsreader instead of Geist. */
  readonly type?: 'serif'
  /** Shows the product itself, beside the text or above it. */
  readonly picture?: Picture
}

/** AVIF, WebP or JPEG in `brand/`, up to 200 kB each. */
export interface Picture {
  readonly file: string
  /** A smaller one for phones. */
  readonly small?: string
  /** What is on it, for those who do not see it: a text, or one for each language, by its name. */
  readonly alt: string | Readonly<Record<string, string>>
}

/** What of a product its colours follow from. */
export interface Coloured {
  readonly accent?: string
  readonly look?: Look
  readonly logo: Logo
  readonly icon?: Logo
}

/** An SVG file in `brand/`, or one for light and one for dark grounds. */
export type Logo = string | { readonly light: string; readonly dark: string }

export type Scheme = 'light' | 'dark'

/** A logo from here on is a wordmark, which says the name by itself: width over height. */
export const WORDMARK = 2

/** The file of a product's logo that can be seen on such a ground. */
export function logoOn({ logo }: Pick<Coloured, 'logo'>, scheme: Scheme): string {
  return typeof logo === 'string' ? logo : logo[scheme]
}

/** The product with its icon for a logo, for places that have space for a square alone. */
export function withIcon<P extends Coloured>(product: P): P {
  return { ...product, logo: product.icon ?? product.logo }
}

/** The files of a product's logo, each once. */
export function logosOf({ logo }: Pick<Coloured, 'logo'>): string[] {
  return typeof logo === 'string' ? [logo] : [...new Set([logo.light, logo.dark])]
}

/** The files of a picture: for all, and for phones if there is another. */
export const filesOfPicture = ({ file, small }: Picture): string[] =>
  small === undefined ? [file] : [file, small]

/** The files of its logo, its icon and its picture, each once. */
export function brandFilesOf(product: Coloured): string[] {
  const { picture } = product.look ?? {}
  const pictures = picture ? filesOfPicture(picture) : []
  return [...new Set([...logosOf(product), ...logosOf(withIcon(product)), ...pictures])]
}
