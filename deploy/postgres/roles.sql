-- Run by the PostgreSQL image once, when its volume is new: an account for each program, neither of which
-- can reach what belongs to the other.
\getenv emissor_password EMISSOR_DATABASE_PASSWORD
\getenv temporal_password TEMPORAL_DATABASE_PASSWORD

CREATE ROLE emissor LOGIN PASSWORD :'emissor_password';
CREATE DATABASE emissor OWNER emissor;
REVOKE CONNECT ON DATABASE emissor FROM PUBLIC;

-- Its schema job creates its two databases.
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal_password';
