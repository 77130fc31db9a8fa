/** A start tag of a page, with its attributes by their names in lower case. */
export interface Tag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
}

/** Longer tags are not read, so that no page makes this slow. */
const TAG = /<(\/?[a-z][a-z0-9-]{0,20})((?:[^<>"']|"[^"]{0,4000}"|'[^']{0,4000}'){0,4000})>/gi
const ATTRIBUTE = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

/** The tags of a page in their order; those of a comment or of a script's text are none. */
export function tagsOf(html: string): Tag[] {
  const seen = withoutText(html)
  return [...seen.matchAll(TAG)].map(([, name = '', rest = '']) => ({
    name: name.toLowerCase(),
    attributes: new Map(
      [...rest.matchAll(ATTRIBUTE)].map(([, key = '', double, single, bare]) => [
        key.toLowerCase(),
        unescaped(double ?? single ?? bare ?? ''),
      ]),
    ),
  }))
}

/** A page without its comments, and without the text of its scripts. What does not end goes on to the end. */
function withoutText(html: string): string {
  const lower = html.toLowerCase()
  const parts: string[] = []
  const begin = /<!--|<script\b[^<>]{0,2000}>/gi
  let from = 0
  for (let found = begin.exec(html); found; found = begin.exec(html)) {
    const [text] = found
    parts.push(html.slice(from, found.index), text === '<!--' ? '' : text)
    const end = lower.indexOf(text === '<!--' ? '-->' : '</script', begin.lastIndex)
    if (end < 0) return parts.join('')
    from = end + (text === '<!--' ? 3 : 0)
    begin.lastIndex = from
  }
  return parts.join('') + html.slice(from)
}

/** The escapes that an address in an attribute has. */
function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>' }
  return text.replace(
    /&(?:#(\d{1,5})|#x([\da-f]{1,4})|(amp|quot|lt|gt));/gi,
    (_, dec, hex, name) =>
      name
        ? (named[name.toLowerCase()] ?? '')
        : String.fromCharCode(dec ?? Number.parseInt(hex, 16)),
  )
}

/** A form with the tags of its fields. */
export interface FormTags {
  readonly form: Tag
  readonly fields: readonly Tag[]
}

export function formsIn(tags: readonly Tag[]): FormTags[] {
  const forms: { form: Tag; fields: Tag[] }[] = []
  let open: { form: Tag; fields: Tag[] } | undefined
  for (const tag of tags) {
    if (tag.name === 'form') {
      open = { form: tag, fields: [] }
      forms.push(open)
    } else if (tag.name === '/form') open = undefined
    else open?.fields.push(tag)
  }
  return forms
}
