/** A link to where the button leads, to try it. */
export function LedTo({ url }: { readonly url: string }) {
  return (
    <a href={url} rel="noreferrer" target="_blank">
      {url.replace(/\/$/, '')}
    </a>
  )
}
