/** The way back to the page above. */
export function Back({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <p className="back note after-5">
      <a href={to}>{children}</a>
    </p>
  )
}
