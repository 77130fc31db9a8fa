/** Where the button leads, to be tried. */
export function LedTo({ url }: { readonly url: string }) {
  return (
    <a href={url} rel="noreferrer" target="_blank">
      {url.replace(/\/$/, '')}
    </a>
  )
}
