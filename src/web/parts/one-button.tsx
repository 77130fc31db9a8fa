/**
 * The one button of a page behind a link. Posts to its own URL, so that the token stays in the path. A GET
 * must not act, since mail scanners open every link.
 */
export function OneButton({ children }: { readonly children: string }) {
  return (
    <form className="subscribe" method="post">
      <div className="subscribe-row">
        <button type="submit">{children}</button>
      </div>
    </form>
  )
}
