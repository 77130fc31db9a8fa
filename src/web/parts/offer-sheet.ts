/**
 * Replaces links to pass a page on by a button for the device's own share sheet, where there is one;
 * else lets the last of them copy. Without it, they are links. It is sent as source too, so it may use
 * nothing from around it.
 *
 * @param place what `share.tsx` makes.
 */
export function offerSheet(place: HTMLElement | null) {
  const { title, text, sheet, copy = '', copied = '' } = place?.dataset ?? {}
  const links = place?.querySelectorAll('a') ?? []
  const last = links[links.length - 1]
  if (!place || !last) return

  function offerCopy(link: HTMLAnchorElement) {
    if (!navigator.clipboard) return
    const { textContent } = link
    link.textContent = copy
    link.onclick = (event) => {
      event.preventDefault()
      navigator.clipboard.writeText(link.href).then(
        () => {
          link.textContent = copied
        },
        () => {
          // Copying is not allowed here: then it is a link.
          link.onclick = null
          link.textContent = textContent
        },
      )
    }
  }

  if (!navigator.share) return offerCopy(last)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = place.firstElementChild?.textContent ?? ''
  button.onclick = () =>
    navigator.share({ title: title ?? '', text: text ?? '', url: sheet ?? '' }).catch((error) => {
      // Closed, or open already.
      if (error.name === 'AbortError' || error.name === 'InvalidStateError') return
      button.remove()
      place.classList.remove('share-sheet')
      offerCopy(last)
    })
  place.classList.add('share-sheet')
  place.append(button)
}
