/** The registrable domain of a host, and local names. */
import { describe, expect, test } from 'vitest';
import { isLocalName, registrableDomain } from '../../policy/discovery-domain.ts';

describe('the registrable domain', () => {
  test.each([
    ['a.b.example.com', 'example.com'],
    ['example.com', 'example.com'],
    ['www.example.co.jp', 'example.co.jp'],
    ['shop.example.com.au', 'example.com.au'],
    ['a.b.example.ai', 'example.ai'],
    ['a.me.io', 'me.io'],
    ['my-app.vercel.app', 'my-app.vercel.app'],
    ['preview.my-app.vercel.app', 'my-app.vercel.app'],
    ['vercel.app', 'vercel.app'],
    ['user-space.hf.space', 'user-space.hf.space'],
    ['a.b.my-app.vercel.app', 'my-app.vercel.app'],
    ['x.y.execute-api.amazonaws.com', 'y.execute-api.amazonaws.com'],
    ['x.y.cloudapp.azure.com', 'y.cloudapp.azure.com'],
    ['x.readthedocs.io', 'x.readthedocs.io'],
    ['a.com.ai', 'a.com.ai'],
    ['b.a.net.io', 'a.net.io'],
    ['a.co.ai', 'co.ai'],
    ['co.jp', 'co.jp'],
    ['a.b.co.example', 'co.example'],
    ['a.b.edu.au', 'b.edu.au'],
    ['a.b.ac.uk', 'b.ac.uk'],
    ['2001:db8::1', '2001:db8::1'],
    ['192.0.2.7', '192.0.2.7'],
    ['localhost', 'localhost'],
  ])('%s → %s', (host, domain) => expect(registrableDomain(host)).toBe(domain));

  test.each([
    ['ollama.local', true],
    ['gpu-box', true],
    ['10.0.0.7', true],
    ['model.corp', true],
    ['a.b.internal', true],
    ['local.example', false],
    ['x.localx', false],
    ['2001:db8::1', true],
    ['example.com', false],
  ])('%s is local: %s', (host, isLocal) => expect(isLocalName(host)).toBe(isLocal));
});
