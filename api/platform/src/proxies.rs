//! Which address a call comes from when a proxy stands before the site. Each proxy appends to `X-Forwarded-For` the address that it
//! saw; what the client wrote there itself comes first. So the list is read from its end, and only as long as a trusted proxy wrote it.

use std::net::IpAddr;

use anyhow::Context;

/// The networks that trusted proxies are in; none: the header is never read.
#[derive(Debug, Clone, Default)]
pub struct Proxies(Vec<Network>);

#[derive(Debug, Clone, Copy)]
struct Network {
    address: IpAddr,
    prefix: u32,
}

/// What `true` stands for: this machine and private networks.
const PRIVATE: [&str; 6] = ["127.0.0.0/8", "::1", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"];

impl Proxies {
    /// Addresses and networks with commas between them (`10.0.0.5, 172.16.0.0/12`), or `true` for every private one.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        match text.trim() {
            "" | "false" | "0" => Ok(Self::default()),
            "true" | "1" => PRIVATE.into_iter().map(Network::parse).collect::<anyhow::Result<_>>().map(Self),
            list => list.split(',').map(Network::parse).collect::<anyhow::Result<_>>().map(Self),
        }
        .with_context(|| format!("BEHIND_PROXY names no addresses: {text}"))
    }

    /// The nearest address that is not one of ours. `hops` are those of the header, in its order.
    pub fn client<'a>(&self, peer: IpAddr, hops: impl Iterator<Item = &'a str>) -> IpAddr {
        let hops: Vec<&str> = hops.collect();
        let mut nearest = peer.to_canonical();
        for hop in hops.into_iter().rev() {
            if !self.trusts(nearest) {
                break;
            }
            // What cannot be read was not written by a proxy: the one that sent it is the nearest that is known.
            let Ok(before) = hop.trim().parse::<IpAddr>() else { break };
            nearest = before.to_canonical();
        }
        nearest
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.holds(address))
    }
}

impl Network {
    fn parse(text: &str) -> anyhow::Result<Self> {
        let (address, prefix) = text.trim().split_once('/').map_or((text.trim(), None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr = address.parse()?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(longest), str::parse)?;
        anyhow::ensure!(prefix <= longest, "a network has at most {longest} bits");
        Ok(Self { address, prefix })
    }

    fn holds(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(network), IpAddr::V4(one)) => (network.to_bits() ^ one.to_bits()).leading_zeros() >= self.prefix,
            (IpAddr::V6(network), IpAddr::V6(one)) => (network.to_bits() ^ one.to_bits()).leading_zeros() >= self.prefix,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(proxies: &str, peer: &str, header: &str) -> String {
        Proxies::parse(proxies).unwrap().client(peer.parse().unwrap(), header.split(',').filter(|hop| !hop.is_empty())).to_string()
    }

    #[test]
    fn without_a_trusted_proxy_the_header_is_not_read() {
        assert_eq!(client("", "203.0.113.7", "198.51.100.1"), "203.0.113.7");
        assert_eq!(client("10.0.0.5", "203.0.113.7", "198.51.100.1"), "203.0.113.7", "the caller is no proxy of ours");
    }

    #[test]
    fn only_what_trusted_proxies_wrote_is_believed() {
        assert_eq!(client("10.0.0.5", "10.0.0.5", "203.0.113.7"), "203.0.113.7");
        assert_eq!(client("10.0.0.5", "10.0.0.5", "198.51.100.1, 203.0.113.7"), "203.0.113.7", "the first one was claimed by the client");
        assert_eq!(client("10.0.0.0/8", "10.0.0.5", "198.51.100.1, 203.0.113.7, 10.2.3.4"), "203.0.113.7", "two proxies in a row");
        assert_eq!(client("10.0.0.0/8", "10.0.0.5", "nije adresa"), "10.0.0.5");
        assert_eq!(client("10.0.0.0/8", "10.0.0.5", ""), "10.0.0.5");
        assert_eq!(client("true", "::ffff:172.18.0.1", "2001:db8::1"), "2001:db8::1");
    }

    #[test]
    fn a_network_ends_where_its_bits_end() {
        assert_eq!(client("172.16.0.0/12", "172.31.255.255", "1.2.3.4"), "1.2.3.4");
        assert_eq!(client("172.16.0.0/12", "172.32.0.0", "1.2.3.4"), "172.32.0.0");
        assert_eq!(client("0.0.0.0/0", "8.8.8.8", "1.2.3.4"), "1.2.3.4");
    }

    #[test]
    fn a_list_that_cannot_be_read_stops_the_program() {
        for wrong in ["proxy", "10.0.0.0/33", "10.0.0.5,,", "::1/129"] {
            assert!(Proxies::parse(wrong).is_err(), "{wrong}");
        }
    }
}
