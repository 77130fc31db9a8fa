/** Which of our pages a document is. */
export type PageIn =
  | { readonly page: 'open'; readonly url: string }
  | { readonly page: 'coming-soon' }
  | { readonly page: 'other' }

/** @param html as a server sent it, which may be any site's. */
export function pageIn(html: string): PageIn {
  const [, open] = /<div id="root" data-open="([^"<>]{1,4000})"/.exec(html) ?? []
  if (open !== undefined) return { page: 'open', url: unescapeHtml(open) }
  return { page: /<div id="root">/.test(html) ? 'coming-soon' : 'other' }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Reverses our own escaping. */
function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|(\w+));/g, (whole, code, name) =>
    code ? String.fromCodePoint(Math.min(Number(code), 0x10ffff)) : (named[name] ?? whole),
  )
}
