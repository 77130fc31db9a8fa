/**
 * A standing: a dot and the word. The colour adds nothing to the word.
 *
 * @param standing one of the store's standings, `confirmed`, or the status of a delivery.
 */
export function StandingMark({ standing }: { readonly standing: string }) {
  return (
    <span className="mark" data-standing={standing}>
      <span className="dot" />
      {standing}
    </span>
  )
}
