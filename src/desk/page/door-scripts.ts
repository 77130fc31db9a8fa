/**
 * Both run inline, since a page loads nothing before there is a session. Each is sent as its
 * source, so it can use only its own names.
 */

/** Takes the code out of the address bar, before it is seen or kept, and into the form. */
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

/** Asks for the passkey of this device when the button is pressed, and posts what is signed. */
export function signIn() {
  const form = document.querySelector<HTMLFormElement>('#sign-in')
  const button = form?.querySelector('button')
  const field = form?.querySelector('input')
  if (!form || !button || !field) return
  button.onclick = async () => {
    button.disabled = true
    try {
      const response = await fetch('/desk/sign-in/options', { method: 'POST' })
      const options = PublicKeyCredential.parseRequestOptionsFromJSON(await response.json())
      const shown = await navigator.credentials.get({ publicKey: options })
      if (shown instanceof PublicKeyCredential) {
        field.value = JSON.stringify(shown.toJSON())
        form.submit()
      }
    } catch {
      // The browser has said why, or the operator cancelled: they can press the button again.
    }
    button.disabled = false
  }
}
