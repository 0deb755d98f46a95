import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort, type RunningServer, startRealServer } from '@millrace/plugin-kit/testing';
import { makeCertificate } from './certificate.ts';

export interface MailServer {
  readonly imap: number;
  readonly imaps: number;
  readonly pop3: number;
  readonly pop3s: number;
  /** Puts a mail into the inbox of a user, as a delivery agent does. */
  deliver(user: string, mail: string, arrivedAt?: Date): void;
  stop(): Promise<void>;
}

export const mailPassword = 'correct-horse-battery';

/** A real Dovecot with IMAP and POP3, with and without TLS. Every user exists and has the same password. */
export async function startDovecot(): Promise<MailServer> {
  const { key, cert } = makeCertificate();
  const [imap, imaps, pop3, pop3s] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const owner = ownerOfMails();
  const server = await startRealServer({
    program: '/usr/sbin/dovecot',
    args: ({ folder }) => ['-F', '-c', join(folder, 'dovecot.conf')],
    prepare: ({ folder, port }) => {
      chmodSync(folder, 0o755);
      writeFileSync(join(folder, 'key.pem'), key);
      writeFileSync(join(folder, 'cert.pem'), cert);
      makeFolder(join(folder, 'mails'), owner);
      writeFileSync(
        join(folder, 'dovecot.conf'),
        configuration({ folder, ports: { imap, imaps, pop3, pop3s, ready: port }, owner }),
      );
    },
  });
  return { imap, imaps, pop3, pop3s, deliver: deliverTo(server, owner), stop: () => server.stop() };
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Dovecot never opens mails as root. */
function ownerOfMails(): Owner {
  const { uid, gid } = userInfo();
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'mail'], { encoding: 'utf8' }));
  return uid === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : { uid, gid };
}

function makeFolder(path: string, { uid, gid }: Owner): void {
  mkdirSync(path, { recursive: true });
  chownSync(path, uid, gid);
}

let delivered = 0;

const deliverTo =
  ({ folder }: RunningServer, owner: Owner): MailServer['deliver'] =>
  (user, mail, arrivedAt = new Date()) => {
    const home = join(folder, 'mails', user);
    const maildir = join(home, 'Maildir');
    for (const part of [home, maildir, ...['tmp', 'new', 'cur'].map((name) => join(maildir, name))])
      makeFolder(part, owner);
    const name = `${Math.floor(arrivedAt.getTime() / 1000)}.M${++delivered}P1.localhost`;
    const path = join(maildir, 'tmp', name);
    writeFileSync(path, mail.replace(/\r?\n/g, '\r\n'));
    chownSync(path, owner.uid, owner.gid);
    utimesSync(path, arrivedAt, arrivedAt);
    renameSync(path, join(maildir, 'new', name));
  };

interface Setup {
  readonly folder: string;
  readonly ports: Readonly<Record<'imap' | 'imaps' | 'pop3' | 'pop3s' | 'ready', number>>;
  readonly owner: Owner;
}

function configuration({ folder, ports, owner }: Setup): string {
  const { username, uid } = userInfo();
  const own = uid === 0 ? '' : `default_internal_user = ${username}\ndefault_login_user = ${username}\n`;
  const unchained = uid === 0 ? '' : 'chroot =';
  return `${own}base_dir = ${folder}/run
state_dir = ${folder}/state
protocols = imap pop3
listen = 127.0.0.1
log_path = /dev/stderr
ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = no
auth_failure_delay = 0
mail_location = maildir:~/Maildir
first_valid_uid = 1
passdb {
  driver = static
  args = password=${mailPassword}
}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${folder}/mails/%u
}
service anvil {
  ${unchained}
  # No pause for addresses from which a wrong password came.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  ${unchained}
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${ports.imaps}
    ssl = yes
  }
  inet_listener ready {
    port = ${ports.ready}
  }
}
service pop3-login {
  ${unchained}
  inet_listener pop3 {
    port = ${ports.pop3}
  }
  inet_listener pop3s {
    port = ${ports.pop3s}
    ssl = yes
  }
}
`;
}
