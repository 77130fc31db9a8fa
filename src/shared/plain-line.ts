/**
 * Controls, direction marks, zero-width and private characters; not the controls that are space.
 */
const UNSEEN = /[^\P{C}\t\n\v\f\r]/gu

/**
 * Text of another machine as one short line that is safe to store and to show: without control and
 * format characters. It is cut before any other work is done.
 *
 * @param most the length of the longest result, in characters.
 */
export function plainLine(text: string, most = 300): string {
  const line = text
    .slice(0, 16 * most)
    .replace(UNSEEN, '')
    .replace(/\s+/g, ' ')
    .trim()
  // Removes half of a surrogate pair at the cut.
  return line.slice(0, most).replace(UNSEEN, '')
}

/** A text in so many characters at most, with a mark where it was cut. */
export function shortened(text: string, most: number): string {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}
