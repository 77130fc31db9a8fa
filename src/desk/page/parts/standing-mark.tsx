/**
 * How somebody stands: a dot and the word. Colour says nothing that the word does not say.
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
