import { useRef, useState } from 'react'
import { say } from '../../shared/say.ts'
import { Button } from './parts/button.tsx'
import { useShell } from './parts/view.ts'
import { PostForm } from './post-form.tsx'

/** Asks the browser for a new passkey, and posts it as a form does. */
export function AddPasskey() {
  const { csrf } = useShell()
  const answer = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<'idle' | 'waiting' | 'failed'>('idle')

  async function add() {
    setState('waiting')
    try {
      const response = await fetch('/desk/access/passkeys/options', {
        method: 'POST',
        headers: { 'x-csrf': csrf },
      })
      const options = PublicKeyCredential.parseCreationOptionsFromJSON(await response.json())
      const made = await navigator.credentials.create({ publicKey: options })
      if (!answer.current || !(made instanceof PublicKeyCredential))
        throw new Error('none was made')
      answer.current.value = JSON.stringify(made.toJSON())
      answer.current.form?.submit()
    } catch {
      setState('failed')
    }
  }

  return (
    <PostForm action="/desk/access/passkeys" data-status={state}>
      <input type="hidden" name="answer" ref={answer} />
      <Button type="button" onClick={add} disabled={state === 'waiting'}>
        {say('Add a passkey to this device')}
      </Button>
      <noscript>
        <p>{say('A passkey needs JavaScript.')}</p>
      </noscript>
      {state === 'failed' && (
        <p role="alert">
          {say('The browser made no passkey: it was cancelled, or the browser has no passkeys.')}
        </p>
      )}
    </PostForm>
  )
}
