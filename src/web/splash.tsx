/**
 * Four sessions of a market and the product's name. All of its timing lives in `splash.css`.
 *
 * It is outside of the hydrated root, so that a late script cannot bring it back.
 */
export function Splash({ name }: { readonly name: string }) {
  return (
    <section id="splash" className="splash" aria-label={name}>
      <div className="splash-black" />
      <div className="splash-price" />
      {['red one', 'red two', 'red three', 'green'].map((session) => (
        <div key={session} className={`candle ${session}`}>
          <i className="wick" />
          <i className="body" />
        </div>
      ))}
      <p className="splash-name">{name}</p>
    </section>
  )
}
