/**
 * Has scripts fetched once another one is there. Side by side they would share a slow line, and the
 * form would wait for what only its submit needs.
 *
 * Goes into the document as its own source text, so it may use nothing from around it.
 *
 * @param first what is fetched already.
 */
export function fetchAfter(first: string, later: readonly string[]) {
  const fetchModule = (href: string) => {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = href
    document.head.append(link)
    return link
  }
  fetchModule(first).onload = () => later.forEach(fetchModule)
}
