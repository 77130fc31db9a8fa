import { Parser } from 'htmlparser2'

/** An element of a page. */
export interface PageElement {
  readonly name: string
  /** By their names in lower case. */
  readonly attributes: Readonly<Record<string, string>>
}

/** Browsers stop at 512. The parser looks through all that are open, so that more would make it slow. */
const MOST_WITHIN = 1000

/** The elements of a page in their order, to the first that is within too many others. */
export function elementsIn(html: string): PageElement[] {
  const elements: PageElement[] = []
  let open = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      elements.push({ name, attributes })
      open += 1
      if (open > MOST_WITHIN) parser.pause()
    },
    onclosetag() {
      open -= 1
    },
  })
  parser.end(html)
  return elements
}

/** What one of our pages shows; another page is none. */
export type PageIn =
  | { readonly page: 'open'; readonly url: string }
  | { readonly page: 'coming-soon' }
  | { readonly page: 'other' }

/** @param html as a server sent it, which may be any site's. */
export function pageIn(html: string): PageIn {
  const root = elementsIn(html).find(
    ({ name, attributes }) => name === 'div' && attributes.id === 'root',
  )
  if (!root) return { page: 'other' }
  const { id: _, 'data-open': url, ...others } = root.attributes
  if (url !== undefined) return { page: 'open', url }
  return { page: Object.keys(others).length > 0 ? 'other' : 'coming-soon' }
}
