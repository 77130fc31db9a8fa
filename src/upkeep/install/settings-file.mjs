// Plain JavaScript, and nothing but Node: bin/as-service.mjs reads it before anything else of ours.

/**
 * A line of a file that systemd reads as `EnvironmentFile=`, as all readers agree on it: a name, and
 * a value that is bare, or in quotes and nothing beside them. systemd keeps a `#` in a bare value where
 * Node ends it, takes every `\` out where Node keeps most, and takes `` ` `` for itself where Node
 * takes it for a quotation mark.
 */
const setting =
  /^[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*(?:'([^']*)'|"([^"\\]*)"|([^\s'"`#\\](?:[^#\\]*[^\s#\\])?)?)[ \t]*$/

/** Also nothing: a comment that ends with `\` goes on in the next line for older versions of systemd. */
const nothing = /^[ \t]*(?:[#;].*[^\\]|[#;])?$/

/**
 * Reads the settings of the service as systemd does, and refuses lines that another program would
 * read differently: the server and the operator's tool must never have different keys or
 * passphrases.
 *
 * @param {Uint8Array} bytes the file's
 * @param {string} file its name, for messages
 * @returns {{ settings: Record<string, string>, problems: string[] }} `problems`: a line for each line
 *   that cannot be read alike, with its remedy and never with a value.
 */
export function readSettings(bytes, file) {
  /** @type {Record<string, string>} */
  const settings = {}
  /** @type {string[]} */
  const problems = []
  let text
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { settings, problems: [`${file} is not UTF-8 text: save it as that.`] }
  }
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (nothing.test(line)) continue
    const [, name, single, double, bare] = (isPlain(line) && setting.exec(line)) || []
    if (name) settings[name] = single ?? double ?? bare ?? ''
    else problems.push(`${file}, line ${index + 1}${remedy(line)}`)
  }
  return { settings, problems }
}

/** @param {string} line */
function remedy(line) {
  const name = /^[ \t]*([A-Za-z_]\w*)[ \t]*=/.exec(line)?.[1]
  return name
    ? `: systemd and other programs do not read ${name} alike. Put its value in single quotes, on one line: ${name}='…'`
    : " is neither a comment nor a setting, which is NAME='…'."
}

/** A tab is plain; other control characters end a line for one reader and not for the other. @param {string} line */
const isPlain = (line) => !/[^\P{Cc}\t]/u.test(line)
