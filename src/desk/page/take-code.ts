/**
 * Takes the code out of the address bar, before it is seen or kept, and into the form. It runs inline,
 * since a page loads nothing before there is a session, and is sent as its source, so it can use only
 * its own names.
 */
export function takeCode() {
  const take = () => {
    const code = location.hash.slice(1)
    const field = document.querySelector<HTMLInputElement>('#door input')
    if (!code || !field) return
    history.replaceState(null, '', location.pathname)
    field.value = code
    field.type = 'hidden'
    const label = field.closest('label')
    label?.before(field)
    label?.remove()
  }
  take()
  // The link may be opened again in the tab that shows this page.
  addEventListener('hashchange', take)
}
