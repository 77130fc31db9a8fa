import { translated } from '../../../shared/say.ts'

/**
 * A standing: a dot and the word. The colour adds nothing to the word.
 *
 * @param standing one of the store's standings, `unconfirmed`, or the status of a delivery.
 */
export function StandingMark({ standing }: { readonly standing: string }) {
  return (
    <span className="mark" data-standing={standing}>
      <span className="dot" />
      {standingInWords(standing)}
    </span>
  )
}

const words = new Map([
  ['pending', 'said “not me”'],
  ['unconfirmed', 'not confirmed'],
  ['suppressed', 'left out'],
])

/** A standing as the desk says it. */
export const standingInWords = (standing: string) => translated(words.get(standing) ?? standing)
