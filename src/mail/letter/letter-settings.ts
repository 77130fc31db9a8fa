import { say } from '../../shared/say.ts'
/**
 * Reads the settings above a letter's text: lines of `name: text`. It looks like YAML, but the text is
 * taken literally: colons and apostrophes need no quotes. Quotes around a text are removed.
 *
 * @param firstLine the number of the first line in its file.
 * @returns them by name, and one sentence for each mistake, with its line and what to write instead.
 */
export function readLetterSettings(head: string, firstLine: number) {
  const fields: Record<string, string> = {}
  const mistakes: string[] = []
  for (const [i, line] of head.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const at = say('line {line}', { line: firstLine + i })
    const [, name = '', text = ''] = /^([A-Za-z-]+):(.*)$/.exec(line) ?? []
    if (name === '')
      mistakes.push(
        /^\s/.test(line)
          ? say(
              '{at}: begins with a space; write a setting on one line, as "subject: We are live"',
              { at },
            )
          : say('{at}: is no setting; write it like "subject: We are live"', { at }),
      )
    else if (Object.hasOwn(fields, name))
      mistakes.push(say('{at}: {name} is there a second time', { at, name }))
    else if (/^[>|][+-]?$/.test(text.trim()))
      mistakes.push(say('{at}: write the text of {name} on the same line', { at, name }))
    else fields[name] = unquoted(text.trim())
  }
  return { fields, mistakes }
}

function unquoted(text: string): string {
  const [, double, single] = /^(?:"(.*)"|'(.*)')$/.exec(text) ?? []
  if (double !== undefined && !/[^\\]"/.test(double)) return double.replace(/\\(["\\])/g, '$1')
  return single?.replaceAll("''", "'") ?? text
}
