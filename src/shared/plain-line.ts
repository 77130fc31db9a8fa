/** Controls, direction marks, zero-width and private characters; not the controls that are space. */
const UNSEEN = /[^\P{C}\t\n\v\f\r]/gu

/**
 * What somebody else's machine said, as one short line that is safe to keep and to show: without
 * control and format characters, cut before any other work is spent on it.
 *
 * @param most the longest that may come of it, in characters.
 */
export function plainLine(text: string, most = 300): string {
  const line = text
    .slice(0, 16 * most)
    .replace(UNSEEN, '')
    .replace(/\s+/g, ' ')
    .trim()
  // Half of a character is none.
  return line.slice(0, most).replace(UNSEEN, '')
}
