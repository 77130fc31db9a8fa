/** A place of the desk: the bar leads to it, or the page above it does. */
export interface Place {
  readonly path: string
  /** Of its tab and in the bar, and of the way back to it. */
  readonly title: string
  /** The place whose page leads to it; none for one in the bar. */
  readonly above?: string
  /** The words that lead to it from there. */
  readonly link?: string
}
