/** Commands that add the root certificate to the trust store of a system; the portal and the admin console show them. */
export const trustCommands = {
  windows: ['certutil -addstore -f Root privet-ca.crt'],
  macos: ['sudo security add-trusted-cert -d -k /Library/Keychains/System.keychain privet-ca.crt'],
  debian: ['sudo cp privet-ca.pem /usr/local/share/ca-certificates/privet-ca.crt', 'sudo update-ca-certificates'],
  fedora: ['sudo cp privet-ca.pem /etc/pki/ca-trust/source/anchors/', 'sudo update-ca-trust'],
} as const;
