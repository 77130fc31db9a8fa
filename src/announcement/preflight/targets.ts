/** What the elements of a letter point to. */
export function targets(html: string, element: string, attribute: string): string[] {
  const tags = html.match(new RegExp(`<${element}\\s[^>]*>`, 'gi')) ?? []
  const value = new RegExp(`\\s${attribute}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, 'i')
  return tags.flatMap((tag) => {
    const found = value.exec(tag)
    return found ? [(found[1] ?? found[2] ?? found[3] ?? '').replaceAll('&amp;', '&')] : []
  })
}
