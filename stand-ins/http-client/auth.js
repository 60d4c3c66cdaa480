export { BearerCredentialHandler } from '@actions/http-client/lib/auth';
